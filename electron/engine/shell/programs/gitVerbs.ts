/** Verbs that git runs itself before it looks for an alias (`git --list-cmds=builtins` of 2.39, and its own scripts). */
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
