# fish completion for pmon
# SPDX-License-Identifier: MIT

# Is the verb one of these?
function __pmon_verb
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# Counter paths of the first file on the command line, or else of this machine.
function __pmon_counters
    set -l words (commandline -opc)
    for word in $words[3..-1]
        if test -f "$word"
            timeout 2 $words[1] list --color never -- $word 2>/dev/null | head -n 5000
            return
        end
    end
    if test "$words[2]" != relog
        timeout 2 $words[1] list --color never 2>/dev/null | head -n 5000
    end
end

function __pmon_types
    timeout 2 pmon types --format csv 2>/dev/null | cut -d , -f 2 | tail -n +2
end

complete -c pmon -n __fish_use_subcommand -a info -d 'what a log is'
complete -c pmon -n __fish_use_subcommand -a list -d 'the counters in a log'
complete -c pmon -n __fish_use_subcommand -a stats -d 'last, average, minimum and maximum of each counter'
complete -c pmon -n __fish_use_subcommand -a values -d 'the displayed values over time'
complete -c pmon -n __fish_use_subcommand -a raw -d 'the raw values over time'
complete -c pmon -n __fish_use_subcommand -a explain -d 'why a value and an average are what they are'
complete -c pmon -n __fish_use_subcommand -a chart -d 'draw counters over time'
complete -c pmon -n __fish_use_subcommand -a report -d 'a page on logs'
complete -c pmon -n __fish_use_subcommand -a top -d 'counters on a full screen'
complete -c pmon -n __fish_use_subcommand -a view -d 'logs, or this machine, on a page'
complete -c pmon -n __fish_use_subcommand -a serve -d 'the newest counters, for Prometheus to scrape'
complete -c pmon -n __fish_use_subcommand -a rules -d 'recording rules for Prometheus'
complete -c pmon -n __fish_use_subcommand -a calc -d 'values and average of raw values given by hand'
complete -c pmon -n __fish_use_subcommand -a types -d 'the counter types'
complete -c pmon -n __fish_use_subcommand -a record -d 'this machine into files'
complete -c pmon -n __fish_use_subcommand -a push -d 'logs, or this machine, into an engine'
complete -c pmon -n __fish_use_subcommand -a relog -d 'logs into logs, as relog of Windows does'
complete -c pmon -n __fish_use_subcommand -a typeperf -d 'this machine, as typeperf of Windows does'
complete -c pmon -n __fish_use_subcommand -a help -d 'help on pmon or on a verb'
complete -c pmon -n __fish_use_subcommand -l version -d 'the version'

set -l all info list stats values raw explain calc types
set -l live stats values raw explain chart report top record push
set -l select list stats values raw explain chart report top view serve rules record push
set -l window stats values raw explain chart report top serve
set -l calc stats values explain view calc top
set -l raws explain calc

complete -c pmon -s h -l help -d 'help'
complete -c pmon -n "__pmon_verb $select relog typeperf" -o c -x -a '(__pmon_counters)' -d 'only counters that match'
complete -c pmon -n "__pmon_verb $select" -l counter -x -a '(__pmon_counters)' -d 'only counters that match'
complete -c pmon -n "__pmon_verb $select relog typeperf" -o cf -r -d 'patterns from a file'
complete -c pmon -n "__pmon_verb $select" -l counters-from -r -d 'patterns from a file'
complete -c pmon -n "__pmon_verb $window relog push" -l from -x -d 'begin here'
complete -c pmon -n "__pmon_verb $window relog" -l to -x -d 'end here'
complete -c pmon -n "__pmon_verb info $window relog typeperf push" -l tz -x -a 'log utc local' -d 'clock of times'
complete -c pmon -n "__pmon_verb $calc chart report relog typeperf" -l policy -x -a 'default strict clamp' -d 'for counters that went back'
complete -c pmon -n "__pmon_verb $calc chart report" -l cap -d 'cut percentages at 100'
complete -c pmon -n "__pmon_verb $calc" -l scale -d 'multiply by the default scale'
complete -c pmon -n "__pmon_verb $calc" -l times-1000 -d 'multiply by 1000'
complete -c pmon -n "__pmon_verb stats" -l by -x -a 'machine instance object process' -d 'one row for each of these'
complete -c pmon -n "__pmon_verb values" -l by -x -a 'process' -d 'one series for each of these'
complete -c pmon -n "__pmon_verb stats values explain chart report top view serve push" -l identity -x -a 'process windows' -d 'what is one process'
complete -c pmon -n "__pmon_verb stats" -l where -x -d 'rows for which it holds'
complete -c pmon -n "__pmon_verb explain" -l at -x -d 'the sample nearest to this time'
complete -c pmon -n "__pmon_verb $raws" -o t -l type -x -a '(__pmon_types)' -d 'counter type'
complete -c pmon -n "__pmon_verb $raws" -o F -l time-base -x -d 'ticks of the clock in a second'
complete -c pmon -n "__pmon_verb $raws" -l size -x -a '4 8' -d 'bytes of the counter'
complete -c pmon -n "__pmon_verb calc" -l explain -d 'show the arithmetic'
complete -c pmon -n "__pmon_verb list relog typeperf" -o q -d 'counters only'
complete -c pmon -n "__pmon_verb list typeperf" -o qx -d 'with all instances'
complete -c pmon -n "__pmon_verb list" -s l -l long -d 'type, unit and time base too'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart view serve rules relog push" -l encoding -x -a 'UTF-8 CP1252 SHIFT_JIS' -d 'encoding of a text log'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart view serve rules relog push" -l known-types -r -d 'types of counters in text logs'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart view serve rules relog push" -l dst-repair -d 'repair the change for daylight saving'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart view serve rules relog push" -l names -r -d 'names of counters'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart view serve rules relog push" -l max-unpacked -x -d 'what a compressed log may unpack to'
complete -c pmon -n "__pmon_verb info list stats values raw explain chart report top view serve rules relog push" -l no-sandbox -d 'keep all rights'
complete -c pmon -n "__pmon_verb info list stats values raw" -l raw-names -d 'names into CSV as they are'
complete -c pmon -n "__pmon_verb info" -l no-cache -d 'read the log in any case'
complete -c pmon -n "__pmon_verb view serve $live" -s i -l interval -x -d 'time between samples of this machine'
complete -c pmon -n "__pmon_verb $live" -s n -l count -x -d 'end after so many samples'
complete -c pmon -n "__pmon_verb $live" -l duration -x -d 'end after this time'
complete -c pmon -n "__pmon_verb list view serve rules typeperf $live" -l root -r -d 'where /proc and /sys are mounted'
complete -c pmon -n "__pmon_verb list view serve rules typeperf $live" -l replay -r -d 'recorded trees in place of this machine'
complete -c pmon -n "__pmon_verb list view serve rules typeperf $live" -l pid-names -d 'name processes name_pid'
complete -c pmon -n "__pmon_verb $all" -l format -x -a 'text csv json' -d 'form of the output'
complete -c pmon -n "__pmon_verb $all chart report top" -l color -x -a 'auto always never' -d 'colour'
complete -c pmon -n "__pmon_verb view" -l history -x -d 'how much of this machine is kept'
complete -c pmon -n "__pmon_verb view" -l compare -r -d 'a log to lay over the first'
complete -c pmon -n "__pmon_verb serve" -l metrics -d 'what Prometheus scrapes'
complete -c pmon -n "__pmon_verb serve" -l speed -x -d 'times as fast as recorded'
complete -c pmon -n "__pmon_verb rules" -l window -x -d 'of the averages'
complete -c pmon -n "__pmon_verb view serve" -l port -x -d 'listen on this port'
complete -c pmon -n "__pmon_verb view serve" -l listen -x -d 'listen on this address'
complete -c pmon -n "__pmon_verb view serve push" -l insecure -d 'let tokens and passwords travel unencrypted'
complete -c pmon -n "__pmon_verb view" -l no-browser -d 'open no browser'
complete -c pmon -n "__pmon_verb types" -f -a '(__pmon_types)'
complete -c pmon -n "__pmon_verb help" -f -a 'info list stats values raw explain chart report top view serve rules calc types record push relog typeperf'

complete -c pmon -n "__pmon_verb record" -s o -l output -r -d 'the file'
complete -c pmon -n "__pmon_verb record" -l format -x -a 'blg csv tsv sqlite jsonl' -d 'what to write'
complete -c pmon -n "__pmon_verb record" -l max-size -x -d 'end, or go on to the next file, at this size'
complete -c pmon -n "__pmon_verb record" -l rotate -x -d 'a new file at round times'
complete -c pmon -n "__pmon_verb record" -l names -x -a 'number date' -d 'many files'
complete -c pmon -n "__pmon_verb record" -l circular -d 'newest samples take the place of the oldest'
complete -c pmon -n "__pmon_verb record" -l keep -x -d 'remove the oldest files'
complete -c pmon -n "__pmon_verb record" -l keep-age -x -d 'remove files older than this'
complete -c pmon -n "__pmon_verb record" -l keep-size -x -d 'remove the oldest files beyond this size of all'
complete -c pmon -n "__pmon_verb record" -l append -d 'go on in the newest file after a restart'
complete -c pmon -n "__pmon_verb record" -l sync -x -d 'how often to wait for the disk'
complete -c pmon -n "__pmon_verb record" -s y -l yes -d 'write over a file'
complete -c pmon -n "__pmon_verb record" -s q -l quiet -d 'only words on what went wrong'

complete -c pmon -n "__pmon_verb push" -l to -x -a 'clickhouse+http:// clickhouse+https:// prometheus+http:// prometheus+https:// victoriametrics+http:// victoriametrics+https:// postgresql://' -d 'the engine'
complete -c pmon -n "__pmon_verb push" -l until -x -d 'end here'
complete -c pmon -n "__pmon_verb push" -l dry-run -d 'show what would be made, and send nothing'
complete -c pmon -n "__pmon_verb push" -l user -x -d 'who is asking'
complete -c pmon -n "__pmon_verb push" -l password-file -r -d 'the password is in this file'
complete -c pmon -n "__pmon_verb push" -l token-file -r -d 'a bearer token is in this file'
complete -c pmon -n "__pmon_verb push" -l ca-file -r -d 'certificates to trust'
complete -c pmon -n "__pmon_verb push" -l cluster -x -d 'of ClickHouse: spread over this cluster'
complete -c pmon -n "__pmon_verb push" -l state-dir -r -d 'where to remember what was sent'
complete -c pmon -n "__pmon_verb push" -l retry -x -d 'how long to go on trying'
complete -c pmon -n "__pmon_verb push" -l batch -x -d 'raw values that are sent at once'

complete -c pmon -n "__pmon_verb chart" -l kind -x -a 'line area stacked bar heatmap' -d 'kind of picture'
complete -c pmon -n "__pmon_verb chart" -s o -l output -r -d 'write SVG, PNG or PDF'
complete -c pmon -n "__pmon_verb chart" -l size -x -d 'width x height'
complete -c pmon -n "__pmon_verb chart" -l theme -x -a 'light dark' -d 'colours'
complete -c pmon -n "__pmon_verb chart" -l threshold -x -d 'a line at this value'
complete -c pmon -n "__pmon_verb chart report" -l title -x -d 'title of the picture or the page'
complete -c pmon -n "__pmon_verb chart" -l ascii -d 'ASCII characters alone'
complete -c pmon -n "__pmon_verb report" -s o -l output -r -d 'the page'
complete -c pmon -n "__pmon_verb report" -l rules -r -d 'thresholds'
complete -c pmon -n "__pmon_verb chart report" -s y -l yes -d 'write over a file'
complete -c pmon -n "__pmon_verb chart report relog" -l sync -d 'wait for the disk'

complete -c pmon -n "__pmon_verb relog typeperf" -o f -x -a 'BIN CSV TSV SQL JSONL JSONL-VALUES OPENMETRICS PROMETHEUS' -d 'format of the output'
complete -c pmon -n "__pmon_verb relog" -o t -x -d 'every N-th sample'
complete -c pmon -n "__pmon_verb relog typeperf" -o o -r -d 'output'
complete -c pmon -n "__pmon_verb relog" -o b -x -d 'begin'
complete -c pmon -n "__pmon_verb relog" -o e -x -d 'end'
complete -c pmon -n "__pmon_verb relog" -o a -d 'add to the output'
complete -c pmon -n "__pmon_verb relog typeperf" -o config -r -d 'settings'
complete -c pmon -n "__pmon_verb relog typeperf" -o y -d 'write over a file'
complete -c pmon -n "__pmon_verb relog typeperf" -o '?' -d 'help'
complete -c pmon -n "__pmon_verb relog" -l step -x -d 'one sample for each length of time'
complete -c pmon -n "__pmon_verb relog" -l merge -d 'one output'
complete -c pmon -n "__pmon_verb relog typeperf" -l digits -x -d 'significant digits'
complete -c pmon -n "__pmon_verb relog" -l dry-run -d 'say what would be written'

complete -c pmon -n "__pmon_verb typeperf" -o si -x -d 'time between samples'
complete -c pmon -n "__pmon_verb typeperf" -o sc -x -d 'end after so many samples'
complete -c pmon -n "__pmon_verb typeperf" -o s -x -d 'computer'
complete -c pmon -n "__pmon_verb typeperf" -x -a '(__pmon_counters)'
