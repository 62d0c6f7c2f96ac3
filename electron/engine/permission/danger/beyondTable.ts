/** Forms fit the words from the verb on: first those that are no options, then the options. */
type Rows = Readonly<Record<string, RegExp>>;

export interface BeyondGroup {
  /** What it does; stands behind the name of the program on the card. */
  readonly why: string;
  readonly rows: Rows;
}

const everything = /^/;
const removals = /(?:^| )(?:delete|destroy|purge|terminate|remove|rm)(?: |$)/;
const dropped = /^db:(?:drop|reset|purge|migrate:reset)/;
const volumes =
  /^system prune .*--volumes|^volumes? (?:prune|rm |remove )|^(?:compose )?(?:\S+ )?down .*(?:--volumes|-v)(?: |$)/;
const dropsDatabase = /\bdrop\s+(?:database|schema)\b/i;
const published =
  /^(?:npm )?(?:publish|deprecate|undeprecate|owner|access|token|dist-tag|team|org|login|adduser)(?: |$)/;
const cleared =
  /^(?:system|container|image|network|builder|buildx) prune|^(?:stack|swarm|context|secret|config) (?:rm|leave)/;

/** Cannot be taken back: infrastructure, clouds, databases, file systems, what a registry or a forge keeps. */
export const destroyedElsewhere: readonly BeyondGroup[] = [
  {
    why: 'destroys what runs or is kept elsewhere',
    rows: {
      terraform: /^destroy|^apply .*--?destroy/,
      tofu: /^destroy|^apply .*--?destroy/,
      terragrunt: /^(?:run-all )?destroy/,
      pulumi: /^(?:destroy|down|stack rm)/,
      cdk: /^destroy/,
      sam: /^delete/,
      serverless: /^remove/,
      sls: /^remove/,
      eksctl: /^delete/,
      kubectl:
        /^delete (?:all|ns|namespaces?|no|nodes?|pvc?|persistentvolume\S*|crds?|customresource\S*)[ /]|^delete .* --all/,
      oc: /^delete (?:all|ns|namespaces?|projects?|nodes?|pvc?)[ /]|^delete .* --all/,
      aws: /^s3 (?:rb|rm .*--recursive|sync .*--delete)|^[\w-]+ (?:delete|terminate|purge|deregister|destroy|schedule-key-deletion)\b/,
      gcloud: removals,
      gsutil: /^(?:rb|rm .*-[a-zA-Z]*r|rsync .*-[a-zA-Z]*d)/,
      bq: /^rm/,
      az: /(?:^| )(?:delete|purge)(?: |$)|delete-batch/,
      doctl: removals,
      hcloud: removals,
      'linode-cli': removals,
      scw: removals,
      oci: removals,
      ibmcloud: removals,
      heroku: /^(?:apps:)?destroy|^(?:pg|redis|addons):(?:reset|destroy)/,
      fly: removals,
      flyctl: removals,
      vercel: /^(?:rm|remove|project rm)/,
      netlify: /^(?:sites|env):?(?:delete|unset)/,
      wrangler: removals,
      firebase: /:delete/,
      supabase: /^(?:projects delete|db reset .*--linked)/,
      railway: /^(?:delete|down)/,
      vagrant: /^destroy/,
      virsh: /^(?:undefine|destroy|vol-delete|vol-wipe|pool-delete)/,
      multipass: /^(?:delete|purge)/,
      lxc: /^(?:delete|storage delete)/,
      incus: /^(?:delete|storage delete)/,
      gh: /^repo delete/,
      glab: /^repo delete/,
      npm: /^unpublish/,
      pnpm: /^unpublish/,
    },
  },
  {
    why: 'deletes volumes with what is kept in them',
    rows: { docker: volumes, podman: volumes, nerdctl: volumes, 'docker-compose': volumes, 'podman-compose': volumes },
  },
  {
    why: 'drops whole databases',
    rows: {
      dropdb: everything,
      psql: dropsDatabase,
      mysql: dropsDatabase,
      mariadb: dropsDatabase,
      mysqladmin: /^drop/,
      mongo: /dropDatabase\s*\(/,
      mongosh: /dropDatabase\s*\(/,
      'redis-cli': /\bflush(?:all|db)\b/i,
      'valkey-cli': /\bflush(?:all|db)\b/i,
    },
  },
  {
    why: 'destroys file systems or volumes of this machine',
    rows: {
      zfs: /^(?:destroy|rollback)/,
      zpool: /^(?:destroy|labelclear)/,
      lvremove: everything,
      vgremove: everything,
      pvremove: everything,
      btrfs: /^subvolume delete/,
      mdadm: /--(?:zero-superblock|remove)/,
      diskutil: /^(?:erase\w*|partitionDisk|zeroDisk|secureErase|(?:apfs|cs|coreStorage) delete\w*)/i,
      tmutil: /^delete/,
      vssadmin: /^delete/i,
      wbadmin: /^delete/i,
      security: /^delete-keychain/,
    },
  },
  {
    why: 'ends every program of this machine or switches it off',
    rows: { init: /^[06]$/, telinit: /^[06]$/, killall5: everything, kill: /(?:^| )1(?: |$)|(?:^| )-\S+ (?:\S+ )*-1$/ },
  },
];

/** What runs later or elsewhere by itself: no rule may leave it open. */
export const startedLater: readonly BeyondGroup[] = [
  {
    // Changes what names programs to run: hooks, pagers, aliases, registries, servers.
    why: 'changes settings or hooks that name programs to run',
    rows: {
      npm: /^(?:config|c) (?:.* )?(?:set|delete|rm|edit|fix)\b|^config --|^set /,
      pnpm: /^(?:config|c) (?:.* )?(?:set|delete)\b|^set /,
      yarn: /^config (?:.* )?(?:set|unset|delete)\b/,
      pip: /^config (?:.* )?(?:set|unset|edit)\b/,
      go: /^env .*(?:-w|-u)\b/,
      conda: /^config .*--(?:add|append|prepend|set|remove)/,
      poetry: /^config (?!--list)/,
      composer: /^(?:global )?config (?!--list|-l)/,
      bundle: /^config (?:set|unset)|^config .*--/,
      gh: /^(?:alias|config) (?:set|import)|^extension install/,
      code: /--install-extension/,
      cursor: /--install-extension/,
      claude: /\b(?:mcp add|plugin|config set)/,
      codex: /\bmcp add/,
      gemini: /\b(?:mcp add|extensions (?:install|link))/,
      direnv: /^(?:allow|permit|grant|edit)/,
      husky: everything,
      'pre-commit': /^(?:install|init-templatedir)/,
      lefthook: /^(?:install|add)/,
      systemctl: /^(?:enable|link|edit|set-environment|import-environment)\b/,
      reg: /^(?:add|delete|import|restore)/i,
      setx: everything,
    },
  },
  {
    why: 'starts something by the clock, or where the end of this command does not reach it',
    rows: {
      crontab: /^(?!-l$)/,
      at: /^(?!-[lqV]|$)/,
      batch: everything,
      'systemd-run': everything,
      launchctl: /^(?:load|bootstrap|enable|submit|setenv|kickstart)/,
      schtasks: /\/(?:create|change|delete|run)/i,
    },
  },
];

/** Ordinary for whoever means it, so that a rule may allow it; no level means it by itself. */
export const reachingOut: readonly BeyondGroup[] = [
  {
    why: 'stops or changes services, accounts, mounts or the network of this machine',
    rows: {
      systemctl: /^(?:disable|mask|stop|kill|isolate|rescue|emergency|revert)\b/,
      service: / (?:stop|disable)$/,
      'rc-service': / stop$/,
      sc: /^(?:stop|delete|config|create)/i,
      net: /^(?:stop|user|localgroup)/i,
      ...Object.fromEntries(
        (
          'useradd adduser userdel deluser usermod groupadd groupdel groupmod passwd chpasswd chsh visudo vipw mount umount ' +
          'swapoff insmod modprobe rmmod kexec iptables ip6tables nft ufw firewall-cmd bcdedit'
        )
          .split(' ')
          .map((name) => [name, /^(?!-(?:l|L|S|V|h|-list\S*|-version|-help)|list|status|$)/]),
      ),
      sysctl: /-w|=/,
    },
  },
  {
    why: 'publishes, or changes what is public or who may do so',
    rows: {
      npm: published,
      pnpm: published,
      yarn: published,
      bun: /^publish/,
      cargo: /^(?:publish|yank|owner|login)/,
      gem: /^(?:push|yank|owner)/,
      twine: /^upload/,
      poetry: /^publish/,
      uv: /^publish/,
      hatch: /^publish/,
      flit: /^publish/,
      vsce: /^(?:publish|unpublish)/,
      mvn: /(?:^| )deploy(?: |$)/,
      dotnet: /^nuget (?:push|delete)/,
      docker: /^(?:push|image push|login)|^buildx? .*--push/,
      podman: /^(?:push|image push|login)/,
      gh: /^[\w-]+ delete|^repo (?:archive|rename|edit|create)|^(?:secret|variable) (?:set|remove)|^release (?:create|edit|upload)|^api .*(?:-X ?|--method[ =])(?:delete|put|patch|post)/i,
      glab: /^[\w-]+ delete|^(?:variable) (?:set|update)|^api .*(?:-X ?|--method[ =])(?:delete|put|patch|post)/i,
    },
  },
  {
    why: 'changes or removes what runs elsewhere',
    rows: {
      terraform: /^(?:apply|taint|import|force-unlock|state (?:rm|mv|push)|workspace delete)/,
      tofu: /^(?:apply|taint|import|force-unlock|state (?:rm|mv|push)|workspace delete)/,
      pulumi: /^(?:up|update|cancel|state delete)/,
      kubectl: /^(?:delete|drain|cordon|taint|replace .*--force)/,
      oc: /^(?:delete|drain|replace .*--force)/,
      helm: /^(?:uninstall|delete|del|un|rollback)(?: |$)/,
      aws: /^s3 rm /,
      gsutil: /^rm /,
      docker: cleared,
      podman: cleared,
      rails: dropped,
      rake: dropped,
      prisma: /^migrate reset|^db push .*--(?:force-reset|accept-data-loss)/,
      php: /^artisan (?:migrate:(?:fresh|reset)|db:wipe)/,
      supabase: /^db reset/,
    },
  },
];
