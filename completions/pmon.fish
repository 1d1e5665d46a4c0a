# fish completion for pmon
# SPDX-License-Identifier: MIT
#
# `pmon __complete` says what fits (verbs/complete.h).

function __pmon_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l prefix
    set -l pmon $words[1]

    set -e words[1]
    if string match -q -- '--*=*' $word # as if the value were a word of its own
        set -a words (string replace -r '=.*' '' -- $word)
        set prefix $words[-1]=
        set word (string replace -r '[^=]*=' '' -- $word)
    end
    for line in (timeout 2 $pmon __complete $words "$word" 2>/dev/null | head -n 5000)
        switch $line
            case :files
                printf "$prefix%s\n" (__fish_complete_path "$word")
            case :folders
                printf "$prefix%s\n" (__fish_complete_directories "$word")
            case '*'
                printf "$prefix%s\n" $line
        end
    end
end

complete -c pmon -f -a '(__pmon_complete)'
