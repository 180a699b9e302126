#compdef unop2p
# Completion of unop2p for zsh.
_unop2p_completion() {
    local -a found open
    local line value help
    while IFS= read -r line; do
        value=${line%%$'\t'*} help=${line#*$'\t'}
        [[ -n $value ]] || continue
        line=${value//:/\\:}${help:+:$help}
        if [[ $value == *[=/] ]]; then open+=("$line"); else found+=("$line"); fi
    done < <(_UNOP2P_COMPLETE=complete_lines _UNOP2P_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" \
        ${~words[1]} 2>/dev/null)
    if (( $#found + $#open == 0 )); then
        _files
        return
    fi
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    (( $#found )) && _describe -t unop2p unop2p found
    (( $#open )) && _describe -t unop2p unop2p open -S ''
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _unop2p_completion unop2p
