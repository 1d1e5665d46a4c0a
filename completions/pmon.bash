# bash completion for pmon
# SPDX-License-Identifier: MIT
#
# `pmon __complete` says what fits (verbs/complete.h).

_pmon() {
	local cur=$2 quote="'" line word words=()

	# bash splits words at "=" too: "--format=json" comes as three.
	[ "$cur" != = ] || cur=
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		word=${word/#\~/$HOME}
		[ "$word" = = ] || words+=("${word//[\\\"\']/}")
	done
	case ${COMP_WORDS[COMP_CWORD]} in
	[\"\']*) quote= ;; # which readline closes
	esac
	COMPREPLY=()
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		case $word in
		:files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
		:folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
		esac
		case $word in
		:*) compopt -o filenames ;;
		*) [[ ${word,,} == "${cur,,}"* ]] || continue ;;&
		*//) compopt -o nospace ;;&
		*[\\\ ]*) COMPREPLY+=("$quote$word$quote") ;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <(timeout 2 "${COMP_WORDS[0]}" __complete "${words[@]}" "$cur" 2>/dev/null | head -n 5000)
}

complete -F _pmon pmon
