# Completion of unop2p for bash, 3.2 or later.
_unop2p_completion() {
    local before=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} word value line
    # bash cuts a word at each of COMP_WORDBREAKS; the program is given the line as it is.
    case $current in [=:]) current= ;; esac
    word=${before##*[[:space:]]}
    COMPREPLY=()
    while IFS= read -r line; do
        value=${line%%$'\t'*}
        case $value in
            '') continue ;;
            "$word"*) value=${value#"${word%"$current"}"} ;;
            *) value=${value#"${word#*=}"}; value=$current$value ;;
        esac
        case $value in *[=/]) compopt -o nospace 2>/dev/null ;; esac
        COMPREPLY+=("$value")
    done < <(_UNOP2P_COMPLETE=complete_lines _UNOP2P_LINE="$before" "${1/#\~/$HOME}" 2>/dev/null)
}
complete -o default -F _unop2p_completion unop2p
