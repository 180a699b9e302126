# Completion of unop2p for fish.
function __unop2p_completion
    set -l token (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- (commandline -opc)[1])
    set -l prefix (string match -r -- '^--[a-z0-9-]+=' $token)
    set -lx _UNOP2P_COMPLETE complete_lines
    set -lx _UNOP2P_LINE (commandline -cp | string collect)
    set -l found (command $program 2>/dev/null | string match -r '.*\S.*')
    if test (count $found) -gt 0
        for line in $found
            echo "$prefix$line"
        end
    else
        __fish_complete_path $token
    end
end
complete -c unop2p -f -a '(__unop2p_completion)'
