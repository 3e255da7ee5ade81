import { sql, type Kysely, type Migration } from 'kysely'

function statements(texts: readonly string[]): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      for (const text of texts) await sql.raw(text).execute(db)
    },
  }
}

/** In order of their names. Never edit a released migration: add another one. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-machines-clients': statements([
    `create table accounts (id integer primary key autoincrement, email text not null unique,
      password_hash text not null, pubkey text not null, key_id text not null unique, secret text not null,
      token text not null unique, node text not null, user text not null, team integer not null,
      passkey text not null, cause text not null, avatar text not null, config text not null,
      created text not null, verified text)`,
    `create table sessions (id text primary key, account integer not null references accounts (id) on delete cascade,
      created text not null)`,
    `create table machines (id text primary key, account integer not null references accounts (id) on delete cascade,
      name text not null, pubkey text not null, linked text not null)`,
    'create index machines_of_account on machines (account)',
    `create table teams (team integer primary key autoincrement,
      founder integer references accounts (id) on delete set null, name text not null, url text not null,
      logo text not null, wus integer not null, score integer not null)`,
    'create table causes (position integer primary key, name text not null unique)',
    `create table projects (id integer primary key, manager text not null, institution text not null,
      cause text not null, thumb text not null, description text not null, mthumb text not null,
      mdescription text not null)`,
    `create table broadcasts (account_key text not null, cmd text not null, time integer not null,
      message text not null, constraint broadcasts_key primary key (account_key, cmd))`,
    `create table simulated_clients (seat integer primary key, machine_id text not null unique,
      private_key text not null, public_key text not null, name text not null, token text not null, state text,
      saved text not null)`,
    'create table settings (name text primary key, value text not null)',
  ]),
  '0002-mail-credits-providers': statements([
    `create table tickets (hash text primary key, purpose text not null,
      account integer not null references accounts (id) on delete cascade, expires text not null)`,
    `create table mails (id integer primary key autoincrement, recipient text not null, subject text not null,
      text text not null, link text not null, sent text not null)`,
    `create table provider_logins (session text primary key, state text not null unique, provider text not null,
      redirect_uri text not null, code text, email text, name text, completed text, profile text not null,
      created text not null)`,
    'create table donors (id integer primary key autoincrement, name text not null unique)',
    `create table passkeys (id integer primary key autoincrement,
      donor integer not null references donors (id) on delete cascade, hash text not null,
      constraint passkeys_of_donor unique (donor, hash))`,
    `create table credits (id integer primary key autoincrement, machine text not null, unit text not null,
      donor integer not null references donors (id) on delete cascade, team integer not null,
      project integer not null, run integer not null, clone integer not null, gen integer not null,
      code text not null, credit integer not null, assign_time text not null, credit_time text not null,
      constraint credits_once unique (machine, unit))`,
    'create index credits_of_unit on credits (project, run, clone, gen)',
    'create index credits_of_donor on credits (donor, credit_time)',
    'create index credits_of_team on credits (team, credit_time)',
  ]),
  '0003-slots': statements(['alter table simulated_clients rename column seat to slot']),
}
