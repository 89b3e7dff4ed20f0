#!/bin/sh
# A native CLI that speaks the hooks of the one that it is called as and nothing else: claude, codex, gemini, opencode or
# copilot. Events, fields and the order of hooks and dialogs are those that were recorded of the real ones. It reads
# prompts from its terminal, a line each:
#   %bash COMMAND   has a tool call judged, and runs it if it may
#   %write PATH     the same for a file
#   %own COMMAND    a call that it asks about itself, whatever our rules say (codex: leaving its sandbox)
#   %hook EVENT FILE [TOKEN]   runs a hook by itself, with this payload; what came of it stands in hook.*
#   %clear          begins another conversation
#   %bad            sends hooks whose payloads make no sense
#   %crash          ends at once
# Anything else is answered `did it`. What it was started with, was answered and heard stands in $STUB_LOG. How it
# behaves at its start is told by $STUB_LOG/mood: `crash`, `login` or nothing.
name=$(basename "$0")
case "$1" in
    --version) echo "9.9.9 (stub)"; exit 0 ;;
esac
printf '%s\n' "$*" >> "$STUB_LOG/args"
env | grep '^PARALANE_' > "$STUB_LOG/env"
env | grep -E '^(STUB_|ANTHROPIC_|XAI_)' > "$STUB_LOG/set"
mood=$(cat "$STUB_LOG/mood" 2>/dev/null)
[ "$mood" = crash ] && { echo "cannot start: no reason"; exit 3; }
fresh="$name-$$"
source=startup
for word in "$@"; do
    case $before in
        --settings) program=$(sed -n 's/.*"command":"\([^"]*\)".*/\1/p' "$word") ;;
        --plugin-dir) program=$(sed -n 's/.*"command":"\([^" ]*\) hook .*/\1/p' "$word/hooks/hooks.json") ;;
        --session-id) session=$word ;;
        --resume | --session | resume) session=$word source=resume ;;
    esac
    case $word in
        hooks.Stop=*) program=$(printf '%s' "$word" | sed 's/.*command="\([^" ]*\) hook .*/\1/') ;;
        --resume=*) session=${word#--resume=} source=resume ;;
    esac
    before=$word
done
case $name in
    gemini) program=$(sed -n 's/.*"command":"\([^" ]*\) hook .*/\1/p' "$GEMINI_CLI_HOME/.gemini/settings.json") ;;
    opencode)
        guard=$(printf '%s' "$OPENCODE_CONFIG_CONTENT" | sed 's|.*"file://\([^"]*\)".*|\1|')
        program=$(sed -n 's/^const PROGRAM = "\(.*\)"$/\1/p' "$guard")
        ;;
esac

# hook EVENT FIELDS: runs one with the payload's common fields in this CLI's form.
hook() {
    case $name in
        claude | codex) more=",\"transcript_path\":\"/t\",\"permission_mode\":\"default\"" ;;
        gemini) more=",\"transcript_path\":\"/t\",\"timestamp\":\"2026-12-01T14:36:21.451Z\"" ;;
        copilot) more=",\"timestamp\":\"2026-12-01T14:36:22.134Z\"" ;;
        opencode) more="" ;;
    esac
    printf '{"session_id":"%s","cwd":"%s","hook_event_name":"%s"%s%s}' "$session" "$PWD" "$1" "$more" "$2" |
        "$program" hook "$1" "$name"
}

# stops EVENT FIELDS: tells that the turn is over, and again when it was told to go on.
stops() {
    case $(hook "$1" "$2,\"stop_hook_active\":false") in
        *'"block"'* | *'"deny"'*) hook "$1" "$2,\"stop_hook_active\":true" > /dev/null ;;
    esac
}

# camel EVENT FIELDS: the form of some of Copilot's.
camel() {
    printf '{"hookName":"%s","sessionId":"%s","timestamp":1796135782575,"cwd":"%s"%s}' "$1" "$session" "$PWD" "$2" |
        "$program" hook "$1" "$name"
}

note() {
    printf '%s\n' "$1" >> "$STUB_LOG/answers"
}

# dialog WORDS: shows a dialog and waits for one key; true when it allows.
dialog() {
    case $name in
        codex)
            printf '\033]7501;state=blocked:kind=permission\033\\Would you like to run the following command?\n'
            printf '  $ %s\n> 1. Yes, proceed (y)\nPress enter to confirm or esc to cancel\n' "$1"
            ;;
        gemini)
            printf '\033]0;✋  Action Required (web)\007? Shell %s\nAllow execution of [Shell]?\n1. Allow once\n' "$1"
            ;;
        copilot) printf '│ %s │\nDo you want to run this command?\n❯ 1. Yes\nesc to cancel\n' "$1" ;;
    esac
    stty -icanon -echo min 1
    key=$(dd bs=1 count=1 2>/dev/null)
    stty icanon echo
    printf 'key %s\n' "$key" | tr '\033' E >> "$STUB_LOG/keys"
    # What follows fills the screen: the dialog is gone.
    printf '\033[2J\033[H'
    [ "$name" = codex ] && printf '\033]7501;state=working\033\\'
    [ "$name" = gemini ] && printf '\033]0;✦  Working… (web)\007'
    case $key in y | 1) return 0 ;; *) return 1 ;; esac
}

# judged TOOL INPUT WORDS: true when the call may run.
judged() {
    call=",\"tool_name\":\"$1\",\"tool_input\":$2"
    event=PreToolUse
    [ "$name" = gemini ] && event=BeforeTool
    answer=$(hook $event "$call" 2>> "$STUB_LOG/errors") || answer='"deny" by status'
    note "$answer"
    case $name-$answer in
        *'"deny"'*) return 1 ;;
        claude-*'"ask"'*)
            answer=$(hook PermissionRequest "$call")
            note "$answer"
            case $answer in *'"allow"'*) return 0 ;; *) return 1 ;; esac
            ;;
        gemini-*)
            # Whatever is not denied is asked, by its own rules.
            details=",\"details\":{\"type\":\"exec\",\"title\":\"Confirm\",\"command\":\"$3\",\"rootCommand\":\"x\"}"
            hook Notification ",\"notification_type\":\"ToolPermission\",\"message\":\"Tool Confirm\"$details" > /dev/null
            dialog "$3"
            ;;
        copilot-*'"ask"'*)
            camel Notification ",\"message\":\"a rule asks\",\"title\":\"Permission needed\",\"hook_event_name\":\"Notification\",\"notification_type\":\"permission_prompt\"" > /dev/null
            dialog "$3"
            ;;
        *) return 0 ;;
    esac
}

# own COMMAND: a call that it asks about itself.
own() {
    call=",\"tool_name\":\"mcp__x__y\",\"tool_input\":{\"command\":\"$1\"}"
    case $name in
        codex)
            hook PermissionRequest "$call" > /dev/null
            dialog "$1"
            ;;
        opencode)
            answer=$(hook PermissionRequest ",\"tool_name\":\"external_directory\",\"tool_input\":{\"patterns\":[\"$1\"]}")
            note "$answer"
            case $answer in *'"allow"'*) return 0 ;; *) return 1 ;; esac
            ;;
        copilot)
            answer=$(camel PermissionRequest ",\"toolName\":\"web\",\"toolInput\":{\"command\":\"$1\"},\"permissionSuggestions\":[]")
            note "$answer"
            camel Notification ",\"message\":\"Run command: $1\",\"notification_type\":\"permission_prompt\"" > /dev/null
            dialog "$1"
            ;;
        *) judged x__y "{\"command\":\"$1\"}" "$1" ;;
    esac
}

# kept: the conversation is there to be gone on with.
kept() {
    case $name in
        claude) mkdir -p "$HOME/.claude/projects/-lane" && : > "$HOME/.claude/projects/-lane/$session.jsonl" ;;
        codex)
            day="$HOME/.codex/sessions/2026/12/01"
            mkdir -p "$day" && : > "$day/rollout-2026-12-01T10-00-00-$session.jsonl"
            ;;
        gemini)
            chats="$GEMINI_CLI_HOME/.gemini/tmp/web/chats"
            begin=$(printf '%.8s' "$session")
            mkdir -p "$chats" && printf '{"sessionId":"%s"}\n' "$session" > "$chats/session-2026-12-01T10-00-$begin.jsonl"
            ;;
        copilot)
            place="$HOME/.copilot/session-state/$session"
            mkdir -p "$place"
            printf '{"type":"assistant.message","data":{"content":"did it"}}\n' > "$place/events.jsonl"
            usage='{"inputTokens":1200,"outputTokens":42,"cacheReadTokens":200,"maxPromptTokens":128000}'
            printf '{"type":"session.usage_record","data":{"usage":%s}}\n' "$usage" >> "$place/events.jsonl"
            printf '{"type":"hook.start","data":{"hookType":"agentStop"}}\n' >> "$place/events.jsonl"
            ;;
    esac
}

begun() {
    hook SessionStart ",\"source\":\"$source\"" >> "$STUB_LOG/context"
    told=yes
}

bad() {
    for payload in 'not json' '{}' '[1]' "$(printf '{"session_id":"%s"}' "$session")"; do
        printf '%s' "$payload" | "$program" hook "$1" "$name" >> "$STUB_LOG/bad" 2>> "$STUB_LOG/errors"
        printf ' status %s\n' $? >> "$STUB_LOG/bad"
    done
    dd if=/dev/zero bs=1M count=5 2>/dev/null | tr '\0' x | "$program" hook "$1" "$name" >> "$STUB_LOG/bad" 2>> "$STUB_LOG/errors"
    printf ' status %s\n' $? >> "$STUB_LOG/bad"
    printf '{"tool_name":"bash","tool_input":{"command":"ls"}}' |
        PARALANE_TOKEN=foreign "$program" hook "$1" "$name" >> "$STUB_LOG/bad" 2>> "$STUB_LOG/errors"
    printf ' status %s\n' $? >> "$STUB_LOG/bad"
}

# How each tells that it waits for its first prompt: by a hook, by a report, by its screen.
if [ "$mood" = login ]; then
    printf 'Welcome. Use /login to sign in to use %s\n' "$name"
    read -r _
fi
case $name in
    claude) begun ;;
    gemini) begun; printf '\033]0;◇  Ready (web)\007' ;;
    codex) printf '\033]7501;state=idle\033\\' ;;
    copilot) printf '❯\n Interactive · / commands · ? help\n' ;;
    opencode) printf ' Ask anything… ctrl+p commands\n' ;;
esac
[ -z "$session" ] && session=$fresh
printf 'ready\n'
while IFS= read -r line; do
    [ -z "$told" ] && begun
    [ "$name" = codex ] && printf '\033]7501;state=working\033\\'
    event=UserPromptSubmit
    [ "$name" = gemini ] && event=BeforeAgent
    hook $event ',"prompt":"it"' >> "$STUB_LOG/context"
    kept
    case $line in
        '%bash '*)
            command=${line#%bash }
            tool=bash
            case $name in claude | codex | copilot) tool=Bash ;; gemini) tool=run_shell_command ;; esac
            if judged $tool "{\"command\":\"$command\"}" "$command"; then sh -c "$command"; fi
            ;;
        '%write '*)
            path=${line#%write }
            case $name in
                claude) tool=Write input="{\"file_path\":\"$path\",\"content\":\"x\"}" ;;
                codex) tool=apply_patch input="{\"command\":\"*** Begin Patch\\n*** Add File: $path\\n+x\\n*** End Patch\"}" ;;
                gemini) tool=write_file input="{\"file_path\":\"$path\",\"content\":\"x\"}" ;;
                copilot) tool=Write input="{\"path\":\"$path\",\"file_text\":\"x\"}" ;;
                opencode) tool=write input="{\"filePath\":\"$path\",\"content\":\"x\"}" ;;
            esac
            if judged $tool "$input" "$(basename "$path")"; then echo x > "$path"; fi
            ;;
        '%own '*) if own "${line#%own }"; then sh -c "${line#%own }"; fi ;;
        '%hook '*)
            set -- ${line#%hook }
            PARALANE_TOKEN=${3:-$PARALANE_TOKEN} "$program" hook "$1" "$name" < "$2" \
                > "$STUB_LOG/hook.out" 2> "$STUB_LOG/hook.err"
            echo $? > "$STUB_LOG/hook.status"
            ;;
        '%clear') session="$fresh-b" source=clear && begun ;;
        '%bad') if [ "$name" = gemini ]; then bad BeforeTool; else bad PreToolUse; fi ;;
        '%crash') exit 7 ;;
    esac
    after=PostToolUse
    [ "$name" = gemini ] && after=AfterTool
    hook $after ",\"tool_name\":\"x\",\"tool_input\":{}" > /dev/null
    case $name in
        gemini) stops AfterAgent ',"prompt":"it","prompt_response":"did it"' ;;
        copilot)
            stops Stop ",\"transcript_path\":\"$place/events.jsonl\",\"stop_reason\":\"end_turn\""
            ;;
        opencode)
            usage='{"calls":1,"input":1000,"cached":200,"output":42,"cost":0.5,"context":1242}'
            stops Stop ",\"last_assistant_message\":\"did it\",\"usage\":$usage"
            ;;
        *) stops Stop ',"last_assistant_message":"did it"' ;;
    esac
    [ "$name" = codex ] && printf '\033]7501;state=done\033\\'
    [ "$name" = gemini ] && printf '\033]0;◇  Ready (web)\007'
done
