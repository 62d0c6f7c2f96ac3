import { describe, expect, test } from 'vitest';
import { allowed, judge } from '../testing/judge.ts';

const everything = { allow: 'dangerous' } as const;

describe('C4: what other machines and services keep is red, whatever is allowed', () => {
  test.each([
    ...[
      'terraform destroy -auto-approve',
      'terraform -chdir=infra apply -destroy',
      'tofu destroy',
      'pulumi destroy --yes',
    ],
    ...['kubectl delete ns prod', 'kubectl -n prod delete pods --all', 'kubectl --context x delete namespace/prod'],
    ...['aws s3 rb s3://b --force', 'aws --profile p s3 rm s3://b --recursive', 'aws s3 sync . s3://b --delete'],
    ...['aws ec2 terminate-instances --instance-ids i', 'gcloud sql instances delete x', 'az group delete -n x --yes'],
    ...['gsutil -m rm -r gs://b', 'gh repo delete o/r --yes', 'npm unpublish x --force', 'heroku apps:destroy x'],
    ...['docker system prune -af --volumes', 'docker volume rm data', 'docker compose -f x.yml down -v'],
    ...['docker-compose down --volumes', 'dropdb prod', "psql -c 'drop database x'", 'redis-cli -h h flushall'],
    ...[
      'psql <<E\nDROP SCHEMA x\nE',
      "mongosh --eval 'db.dropDatabase()'",
      'zfs destroy -r tank',
      'zpool destroy tank',
    ],
    ...['lvremove -f vg/lv', 'btrfs subvolume delete /x', 'diskutil eraseDisk JHFS+ x disk2', 'kill -9 -1', 'kill 1'],
    // behind wrappers, and what only looks as if it were tried
    ...[
      'sudo terraform destroy',
      'ssh host terraform destroy',
      "sh -c 'kubectl delete ns x'",
      'unknown docker volume rm x',
    ],
    ...['kubectl delete ns x --dry-run=none', 'kubectl delete ns x -- --dry-run', 'kubectl delete ns x -l --dry-run'],
    ...['npm unpublish x --dry-run false', 'npm unpublish x --dry-run --dry-run=false', 'terraform destroy --dry-run'],
    `python3 -c "import os; os.system('terraform destroy')"`,
  ])('%s', (command) => {
    expect(judge(command, { ...everything, rules: allowed(command.split(' ')[0] ?? '') })).toMatchObject({
      verdict: 'ask',
      severe: true,
    });
  });
});

describe('P12: what is started later, or given the machine, is asked whatever rules allow', () => {
  test.each([
    ...['systemd-run --user ./x', 'systemd-run --on-calendar=daily ./x', 'schtasks /create /tn x', 'launchctl load x'],
    ...[
      'crontab x',
      'at now',
      'docker run --privileged a',
      'docker run --pid host a',
      'podman run --device=/dev/sda a',
    ],
    ...['docker run -v /:/h a', 'docker run --mount type=bind,source=/,target=/h a', 'docker run --volume=/etc:/e a'],
    ...['docker run -itv /var/run/docker.sock:/s a', 'docker run --mount type=bind,src=.git,dst=/g a'],
    ...['docker run --mount "type=bind,src=$PWD/.vscode,dst=/g" a', 'docker run -v ~:/h a'],
  ])('%s', (command) => {
    expect(judge(command, { ...everything, rules: allowed(command.split(' ').slice(0, 2).join(' ')) })).toMatchObject({
      verdict: 'ask',
      severe: false,
      rememberable: false,
    });
  });
});

test.each([
  ...['npm publish', 'cargo publish', 'gem push x', 'twine upload x', 'kubectl delete pod x', 'helm uninstall x'],
  ...[
    'terraform apply',
    'systemctl stop x',
    'service nginx stop',
    'usermod -aG sudo x',
    'mount a b',
    'gh secret set X',
  ],
  ...['gh api -X DELETE repos/o/r', 'docker image prune', 'rake db:drop', 'npx prisma migrate reset', 'sysctl -w a=1'],
])('P12: "%s" reaches beyond the project: no level allows it, a rule that names it does', (command) => {
  expect(judge(command, everything)).toMatchObject({ verdict: 'ask', severe: false });
  expect(judge(command, { rules: allowed(command) }).verdict).toBe('allow');
});

test.each([
  ...[
    'terraform plan',
    'terraform plan -destroy',
    'kubectl get pods',
    'kubectl delete ns x --dry-run=client',
    'npm test',
  ],
  ...[
    'npm publish --dry-run',
    'npm run publish',
    'aws s3 ls',
    'aws ec2 describe-instances',
    'gcloud compute instances list',
  ],
  ...[
    'docker run --rm -v "$PWD:/w" a',
    'docker compose up -d',
    'docker compose down',
    'docker build .',
    'gh pr create',
  ],
  ...[
    'gh pr create --title x --body "Run terraform destroy, then docker volume rm x"',
    'crontab -l',
    'systemctl status x',
  ],
  ...['mount', 'iptables -L', 'kill 4321', 'kill -1 4321', 'zfs list', 'git commit -m "drop database x"', 'psql -l'],
  ...['docker run -v /etc/localtime:/etc/localtime:ro a', 'sqlite3 db "select 1"'],
])('"%s" runs where everything is allowed', (command) => {
  expect(judge(command, everything)).toMatchObject({ verdict: 'allow' });
});

describe('C10: what the command line of a database or an editor runs and writes is part of it', () => {
  test.each([
    ...['sqlite3 db ".shell ls"', 'sqlite3 db ".sy ls"', 'sqlite3 db ".output |sh"', 'sqlite3 -cmd ".once \'|sh\'" db'],
    ...[
      'sqlite3 db <<E\n.import "|ls" t\nE',
      "psql -c '\\! ls'",
      'psql -c "copy t to program \'ls\'"',
      "psql -c '\\o |ls'",
    ],
    ...["mysql -e 'system ls'", 'mysql --pager=ls', 'duckdb -c ".sh ls"'],
  ])('a rule for the program does not allow the command in %s', (command) => {
    expect(judge(command, { rules: allowed(command.split(' ')[0] ?? '') }).verdict).toBe('ask');
  });

  test.each([
    ...['sqlite3 db ".output .git/config"', 'sqlite3 db ".o .git/config"', 'sqlite3 db ".backup main .git/config"'],
    ...[`sqlite3 db "select writefile('.git/config','x')"`, `sqlite3 db "vacuum into '.git/config'"`],
    ...[
      "psql -c '\\o .git/config'",
      "psql -c '\\copy t to .git/config'",
      'psql -o .git/config',
      'mysql --tee=.git/config',
    ],
    ...[`mysql -e "select 1 into outfile '.git/config'"`, `duckdb -c "copy t to '.git/config'"`],
    ...["vim -es -c 'w! .git/config' -c q x", "vim +'w .vscode/tasks.json' x", "ex -sc 'w .git/config|q' x"],
    ...[`emacs --batch --eval '(write-file ".git/config")'`, `gnuplot -e 'set output ".git/config"'`],
  ])('P12: %s writes a protected place', (command) => {
    expect(judge(command, everything).verdict).toBe('ask');
  });
});
