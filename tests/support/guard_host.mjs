// Runs the plugin that governs OpenCode as OpenCode would: the events, hooks and answers are those that were recorded of
// it. `guard_host.mjs GUARD DIRECTORY`: the plugin, and a directory with the program that it asks. That program writes
// what it is asked into `asked`, a line each, and answers with what stands in `reply-EVENT`. Ends with status 0 and `fine`
// when everything was as it should be. It needs Bun, or Node, where the little that the plugin takes of Bun is put in.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { Readable } from "node:stream"
import { pathToFileURL } from "node:url"

const [guard, place] = process.argv.slice(2)

globalThis.Bun ??= {
  spawn([program, ...words], { stdin }) {
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"] })
    const exited = new Promise((done) => {
      child.on("error", () => done(127))
      child.on("close", (status) => done(status ?? 143))
    })
    child.stdin.on("error", () => {})
    stdin.text().then((text) => child.stdin.end(text))
    return {
      stdout: Readable.toWeb(child.stdout),
      stderr: Readable.toWeb(child.stderr),
      exited,
      kill: () => child.kill(),
    }
  },
}

const asked = () =>
  readFileSync(`${place}/asked`, { encoding: "utf8", flag: "a+" })
    .split("\n")
    .filter((line) => line)
    .map((line) => ({ event: line.split(" ", 1)[0], ...JSON.parse(line.slice(line.indexOf(" ") + 1)) }))
const reply = (event, text) => writeFileSync(`${place}/reply-${event}`, text)
const quiet = (event) => rmSync(`${place}/reply-${event}`, { force: true })

/** Waits until something holds; its event hooks are waited for by nobody. */
const until = async (what, holds) => {
  const end = Date.now() + 20000
  while (!holds()) {
    assert.ok(Date.now() < end, `waited for: ${what}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

const posts = []
const prompts = []
const client = {
  _client: { post: async (call) => posts.push(call) },
  session: { promptAsync: async (call) => prompts.push(call) },
}
const { Paralane } = await import(pathToFileURL(guard).href)
const plugin = await Paralane({ client, directory: "/lane" })
const event = (type, properties) => plugin.event({ event: { type, properties } })
const count = (name) => asked().filter((one) => one.event === name).length

// A session begins; that of a helper is nobody's.
await event("session.created", { sessionID: "h1", info: { id: "h1", parentID: "s1" } })
await event("session.created", { sessionID: "s1", info: { id: "s1" } })
await until("the session is told", () => count("SessionStart") === 1)
const first = asked()[0]
assert.deepEqual(
  [first.session_id, first.cwd, first.hook_event_name, first.source],
  ["s1", "/lane", "SessionStart", "startup"],
)

// A prompt, and what its model is to know of the others.
reply("UserPromptSubmit", JSON.stringify({ context: "others are here" }))
const parts = [
  { type: "text", text: "one" },
  { type: "text", text: "not his", synthetic: true },
  { type: "text", text: "two" },
]
await plugin["chat.message"]({ sessionID: "s1" }, { parts })
await plugin["chat.message"]({ sessionID: "h1" }, { parts })
assert.deepEqual(asked().filter((one) => one.event === "UserPromptSubmit").map((one) => one.prompt), ["one\ntwo"])
const system = []
await plugin["experimental.chat.system.transform"]({ sessionID: "s1" }, { system })
await plugin["experimental.chat.system.transform"]({ sessionID: "h1" }, { system })
assert.deepEqual(system, ["others are here"])

// A call is judged before it runs: whatever is no leave refuses it.
const before = (callID, args = { command: "ls" }) =>
  plugin["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID }, { args })
reply("PreToolUse", JSON.stringify({ decision: "allow", reason: "by rule" }))
await before("c1")
const judged = asked().at(-1)
assert.deepEqual([judged.tool_name, judged.tool_input, judged.tool_use_id], ["bash", { command: "ls" }, "c1"])
for (const [text, words] of [
  [JSON.stringify({ decision: "deny", reason: "not here" }), /not here/],
  [JSON.stringify({ decision: "block" }), /rules of this lane refuse it/],
  ["no JSON", /makes no sense/],
  ["status 2 the workstation has ended", /the workstation has ended/],
  ["status 3", /gave no answer/],
]) {
  reply("PreToolUse", text)
  await assert.rejects(before("c2"), words)
}
reply("PreToolUse", "{}")
await before("c3")

// OpenCode asks too: what a rule allowed needs nobody, the rest stands in the panel, and the first answer counts.
const ask = (id, callID) =>
  event("permission.asked", { id, sessionID: "s1", permission: "bash", patterns: ["ls"], metadata: {}, tool: { callID } })
await ask("p1", "c1")
await until("an allowed call goes on", () => posts.length === 1)
assert.deepEqual([posts[0].path.id, posts[0].body.reply, count("PermissionRequest")], ["p1", "once", 0])
reply("PermissionRequest", JSON.stringify({ decision: "allow", reason: "the person" }))
await ask("p2", "c3")
await until("the panel allows", () => posts.length === 2)
assert.deepEqual([posts[1].path.id, posts[1].body.reply], ["p2", "once"])
reply("PermissionRequest", JSON.stringify({ decision: "deny", reason: "not now" }))
await ask("p3", "unknown")
await until("the panel denies", () => posts.length === 3)
assert.deepEqual([posts[2].path.id, posts[2].body.reply, posts[2].body.message], ["p3", "reject", "not now"])
assert.deepEqual(asked().at(-1).tool_input, { patterns: ["ls"] })
reply("PermissionRequest", "wait")
await ask("p4", "c3")
await until("the panel is asked", () => count("PermissionRequest") === 3)
await event("permission.replied", { requestID: "p4" })
await until("the hook is ended", () => readFileSync(`${place}/ended`, { encoding: "utf8", flag: "a+" }) !== "")
assert.equal(posts.length, 3, "what was answered in its own dialog is answered once")

// After a call.
await plugin["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c3", args: { command: "ls" } })
assert.deepEqual([asked().at(-1).event, asked().at(-1).tool_name], ["PostToolUse", "bash"])

// The turn is over: its last words and its counts; told to go on, it does so once.
await event("session.updated", {
  info: { id: "s1", tokens: { input: 1000, output: 40, reasoning: 2, cache: { read: 200 } }, cost: 0.5 },
})
await event("message.updated", {
  info: { id: "m1", role: "assistant", sessionID: "s1", tokens: { input: 1000, output: 42, cache: { read: 200 } } },
})
await event("message.part.updated", { part: { type: "text", messageID: "m1", sessionID: "s1", text: "did it" } })
await event("message.part.updated", { part: { type: "text", messageID: "u1", sessionID: "s1", text: "the prompt" } })
reply("Stop", JSON.stringify({ decision: "block", reason: "go back to your branch" }))
await event("session.idle", { sessionID: "h1" })
await event("session.idle", { sessionID: "s1" })
await until("it goes on", () => prompts.length === 1)
assert.deepEqual(
  [prompts[0].path.id, prompts[0].body.parts],
  ["s1", [{ type: "text", text: "go back to your branch" }]],
)
const stop = asked().at(-1)
assert.deepEqual([stop.event, stop.last_assistant_message, stop.stop_hook_active], ["Stop", "did it", false])
assert.deepEqual(stop.usage, { calls: 1, input: 1000, cached: 200, output: 42, cost: 0.5, context: 1242 })
quiet("Stop")
await event("session.idle", { sessionID: "s1" })
await until("the end is told again", () => count("Stop") === 2)
assert.equal(asked().at(-1).stop_hook_active, true)

// A program that is not there gives no leave.
rmSync(`${place}/program`)
await assert.rejects(before("c4"))
console.log("fine")
