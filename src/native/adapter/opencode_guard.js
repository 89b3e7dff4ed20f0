// The rules of one lane of Paralane, for OpenCode: every call of a tool is judged before it runs, what OpenCode itself
// asks stands in the approvals panel too, and the lane's state is told. Whoever answers a question first counts.

const PROGRAM = @PROGRAM@

/** Runs a hook; gives its answer, and its process so that one that waits can be ended. */
function hook(event, body, directory) {
  const nothing = (reason) => ({ decision: "deny", reason })
  let child
  try {
    child = Bun.spawn([PROGRAM, "hook", event, "opencode"], {
      stdin: new Blob([JSON.stringify({ hook_event_name: event, cwd: directory, ...body })]),
      stdout: "pipe",
      stderr: "pipe",
    })
  } catch (error) {
    return { end: () => {}, answer: Promise.resolve(nothing(`the lane's rules cannot be asked: ${error}`)) }
  }
  const answer = (async () => {
    const [out, words, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (status !== 0) return nothing(words.trim() || "the lane's rules gave no answer")
    try {
      return JSON.parse(out)
    } catch {
      return nothing("the lane's rules gave an answer that makes no sense")
    }
  })()
  return { end: () => child.kill(), answer }
}

export const Paralane = async ({ client, directory }) => {
  const helpers = new Set() // sessions of subagents
  const assistants = new Set() // messages of the model
  const said = new Map() // the last words of each session
  const sessions = new Map() // what each has used in all, as OpenCode counts it
  const answers = new Map() // the model's messages of each session
  const newest = new Map() // the newest of them that has counts
  const calls = new Map() // calls that run, by id
  const waiting = new Map() // questions that a hook waits beside
  const notices = new Map() // what each session's model is to know of other lanes
  const stopped = new Set() // sessions that were told to go on

  const tell = async (event, session, body = {}) => {
    const answer = await hook(event, { session_id: session, ...body }, directory).answer
    if (answer.context) notices.set(session, answer.context)
    return answer
  }

  const reply = (id, reply, message) =>
    client._client.post({
      url: "/permission/{id}/reply",
      path: { id },
      body: { reply, message },
      headers: { "content-type": "application/json" },
    })

  const asked = async ({ id, sessionID, permission, patterns, metadata, tool }) => {
    const call = calls.get(tool?.callID)
    if (call?.allowed) return reply(id, "once")
    const input = call?.args ?? { ...metadata, patterns }
    const body = { session_id: sessionID, tool_name: call?.tool ?? permission, tool_input: input }
    const running = hook("PermissionRequest", body, directory)
    waiting.set(id, running)
    const answer = await running.answer
    if (!waiting.delete(id)) return
    if (answer.decision === "allow") await reply(id, "once")
    if (answer.decision === "deny") await reply(id, "reject", answer.reason)
  }

  const usage = (session) => {
    const { tokens, cost } = sessions.get(session) ?? {}
    const last = newest.get(session)?.tokens
    return {
      calls: answers.get(session)?.size ?? 1,
      input: tokens?.input || 0,
      cached: tokens?.cache?.read || 0,
      output: (tokens?.output || 0) + (tokens?.reasoning || 0),
      cost: cost || 0,
      context: (last?.input || 0) + (last?.cache?.read || 0) + (last?.output || 0),
    }
  }

  const events = {
    "session.created": ({ sessionID, info }) => {
      if (info.parentID) helpers.add(sessionID ?? info.id)
      else return tell("SessionStart", sessionID ?? info.id, { source: "startup" })
    },
    "session.updated": ({ info }) => {
      sessions.set(info.id, info)
    },
    "message.updated": ({ info }) => {
      if (info.role !== "assistant") return
      assistants.add(info.id)
      if (!answers.has(info.sessionID)) answers.set(info.sessionID, new Set())
      answers.get(info.sessionID).add(info.id)
      if (info.tokens?.output) newest.set(info.sessionID, info)
    },
    "message.part.updated": ({ part }) => {
      if (part.type === "text" && assistants.has(part.messageID)) said.set(part.sessionID, part.text)
    },
    "session.idle": async ({ sessionID }) => {
      if (helpers.has(sessionID)) return
      const body = {
        last_assistant_message: said.get(sessionID) ?? "",
        stop_hook_active: stopped.delete(sessionID),
        usage: usage(sessionID),
      }
      const answer = await tell("Stop", sessionID, body)
      if (answer.decision !== "block") return
      stopped.add(sessionID)
      const parts = [{ type: "text", text: answer.reason }]
      await client.session.promptAsync({ path: { id: sessionID }, body: { parts } })
    },
    "permission.asked": asked,
    "permission.replied": ({ requestID, permissionID }) => {
      const id = requestID ?? permissionID
      waiting.get(id)?.end()
      waiting.delete(id)
    },
  }

  return {
    event: async ({ event }) => {
      // Not waited for: a question that waits must hold nothing else up.
      Promise.resolve(events[event.type]?.(event.properties)).catch(() => {})
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (helpers.has(sessionID)) return
      said.delete(sessionID)
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      await tell("UserPromptSubmit", sessionID, { prompt })
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (notices.has(sessionID)) system.push(notices.get(sessionID))
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const body = { session_id: sessionID, tool_name: tool, tool_input: args, tool_use_id: callID }
      const { decision, reason } = await hook("PreToolUse", body, directory).answer
      if (decision && decision !== "allow") throw new Error(reason ?? "the rules of this lane refuse it")
      calls.set(callID, { tool, args, allowed: decision === "allow" })
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
      calls.delete(callID)
      await tell("PostToolUse", sessionID, { tool_name: tool, tool_input: args })
    },
  }
}
