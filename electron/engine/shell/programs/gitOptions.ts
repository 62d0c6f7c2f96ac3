import { names } from './options.ts';

/**
 * Long options of git's looking verbs that neither write a file nor run a program (manuals of git 2.39 to 2.47). Missing on
 * purpose: `--output`, `--ext-diff`, `--textconv`, `--filters`, `--show-signature`, `--exec`, `--open-files-in-pager`.
 */
export const readingNames: ReadonlySet<string> = names(`
  abbrev abbrev-commit no-abbrev-commit all branches tags remotes glob= exclude= oneline decorate no-decorate
  decorate-refs= decorate-refs-exclude= graph no-graph format= pretty encoding= expand-tabs no-expand-tabs notes no-notes
  date= relative-date parents children left-right cherry-mark cherry-pick cherry left-only right-only merge merges no-merges
  min-parents= max-parents= first-parent not author= committer= grep= grep-reflog= all-match invert-grep
  regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp since= after= until= before= max-count= skip=
  reverse walk-reflogs reflog boundary simplify-by-decoration simplify-merges full-history dense sparse show-pulls
  ancestry-path topo-order date-order author-date-order no-walk follow source mailmap use-mailmap no-mailmap log-size
  patch no-patch unified= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram anchored=
  diff-algorithm= stat compact-summary numstat shortstat dirstat summary patch-with-stat name-only name-status submodule
  color no-color color-moved no-color-moved color-moved-ws= word-diff word-diff-regex= color-words no-renames renames
  rename-empty check ws-error-highlight= full-index binary find-renames find-copies find-copies-harder break-rewrites
  irreversible-delete diff-filter= pickaxe-all pickaxe-regex find-object= relative no-relative text ignore-space-at-eol
  ignore-space-change ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-matching-lines= inter-hunk-context=
  function-context exit-code quiet no-ext-diff no-textconv ignore-submodules src-prefix= dst-prefix= no-prefix
  default-prefix line-prefix= no-index cached staged merge-base cc combined-all-paths diff-merges= no-diff-merges
  remerge-diff root output-indicator-new= output-indicator-old= output-indicator-context=
  short branch show-stash porcelain long verbose untracked-files ignored ahead-behind no-ahead-behind column no-column null
  verify symbolic symbolic-full-name abbrev-ref show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir
  absolute-git-dir git-common-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository
  show-object-format git-path= path-format= default= revs-only no-revs flags no-flags
  deleted modified others stage directory no-empty-directory unmerged killed exclude-from= exclude-per-directory=
  exclude-standard error-unmatch with-tree= full-name full-tree object-only recurse-submodules eol deduplicate
  batch batch-check batch-all-objects buffer unordered follow-symlinks
  incremental line-porcelain show-email show-name show-number score-debug show-stats color-lines color-by-age ignore-rev=
  ignore-revs-file= numbered email group= dirty broken contains candidates= exact-match match= always
  count objects objects-edge no-object-names in-commit-order unpacked disk-usage header timestamp
  is-ancestor independent octopus fork-point sort= shell perl python tcl points-at= merged no-merged no-contains ignore-case
  head heads dereference hash non-matching human-readable creation-factor= no-dual-color build-options help version
`);
export const gitVerbs: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore ' +
    'check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit ' +
    'commit-graph commit-tree config count-objects credential credential-cache credential-store describe ' +
    'diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack ' +
    'filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc ' +
    'get-tar-commit-id gitk grep gui hash-object help hook http-fetch http-push index-pack init init-db ' +
    'instaweb interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge ' +
    'merge-base merge-file merge-index merge-ours merge-recursive merge-recursive-ours merge-recursive-theirs ' +
    'merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects ' +
    'pack-redundant pack-refs patch-id pickaxe prune prune-packed pull push quiltimport range-diff read-tree ' +
    'rebase receive-pack reflog remote remote-ext remote-fd repack replace request-pull rerere reset restore ' +
    'rev-list rev-parse revert rm scalar send-email send-pack shortlog show show-branch show-index show-ref ' +
    'sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file ' +
    'unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit ' +
    'verify-pack verify-tag version web--browse whatchanged worktree write-tree'
  ).split(' '),
);
