#!/bin/sh
# A native CLI that speaks Claude Code's hooks and nothing else. It reads prompts from its terminal, a line each:
#   %bash COMMAND   has a tool call judged, and runs it if it may
#   %write PATH     the same for a file
#   %hook EVENT FILE [TOKEN]   runs a hook by itself, with this payload; what came of it stands in hook.*
# Anything else is answered `did it`. What it was started with and answered stands in $STUB_LOG.
printf '%s\n' "$*" >> "$STUB_LOG/args"
env | grep '^PARALANE_' > "$STUB_LOG/env"
while [ $# -gt 0 ]; do
    case $1 in
        --settings) settings=$2 ;;
        --session-id) session=$2 source=startup ;;
        --resume) session=$2 source=resume ;;
    esac
    shift
done
program=$(sed -n 's/.*"command":"\([^"]*\)".*/\1/p' "$settings")

hook() {
    printf '{"session_id":"%s","transcript_path":"/t","cwd":"%s","hook_event_name":"%s"%s}' \
        "$session" "$PWD" "$1" "$2" | "$program" hook "$1" claude
}

judged() {
    answer=$(hook PreToolUse "$1")
    printf '%s\n' "$answer" >> "$STUB_LOG/answers"
    case $answer in
        *'"ask"'*)
            answer=$(hook PermissionRequest "$1")
            printf '%s\n' "$answer" >> "$STUB_LOG/answers"
            ;;
    esac
    case $answer in *'"allow"'*) return 0 ;; *) return 1 ;; esac
}

hook SessionStart ",\"source\":\"$source\"" >> "$STUB_LOG/context"
printf 'ready\n'
while IFS= read -r line; do
    hook UserPromptSubmit ',"prompt":"it"' >> "$STUB_LOG/context"
    mkdir -p "$HOME/.claude/projects/-lane"
    : > "$HOME/.claude/projects/-lane/$session.jsonl"
    case $line in
        '%bash '*)
            command=${line#%bash }
            if judged ",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"$command\"}"; then sh -c "$command"; fi
            ;;
        '%hook '*)
            set -- ${line#%hook }
            PARALANE_TOKEN=${3:-$PARALANE_TOKEN} "$program" hook "$1" claude < "$2" \
                > "$STUB_LOG/hook.out" 2> "$STUB_LOG/hook.err"
            echo $? > "$STUB_LOG/hook.status"
            ;;
        '%write '*)
            path=${line#%write }
            call=",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"$path\",\"content\":\"x\"}"
            if judged "$call"; then echo x > "$path"; fi
            ;;
    esac
    case $(hook Stop ',"last_assistant_message":"did it"') in
        *'"block"'*) hook Stop ',"stop_hook_active":true,"last_assistant_message":"did it"' > /dev/null ;;
    esac
done
