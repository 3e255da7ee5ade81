import { sql, type Migration } from 'kysely'
import { COLUMN_TYPES, type ColumnTypes, type DatabaseKind, type SharedMigration } from './columns.ts'
import { boundedUnitsMigration } from './unit-import.ts'

function statements(textsFor: (types: ColumnTypes) => readonly string[]): SharedMigration {
  return async (db, types) => {
    for (const text of textsFor(types)) await sql.raw(text).execute(db)
  }
}

/** Never edit a released migration, not even its letters: a backup is restored only if its tables are made like this. Add another one. */
export const migrations: Readonly<Record<string, SharedMigration>> = {
  '001-history': statements(({ whole, real, counted }) => [
    `create table "machines" ("id" text primary key, "name" text not null, "address" text not null, "os" text not null,
      "version" text not null, "first_seen" ${whole} not null, "last_seen" ${whole} not null)`,
    `create table "units" ("key" text primary key, "machine" text not null, "unit" text not null, "number" ${whole},
      "group_name" text not null, "resource" text not null, "project" ${whole}, "run" ${whole}, "clone" ${whole},
      "gen" ${whole}, "core" text, "result" text not null, "credit" ${real}, "ppd" ${real}, "run_time" ${real},
      "assigned" ${whole}, "ended" ${whole} not null)`,
    'create index "units_ended" on "units" ("ended", "key")',
    'create index "units_project" on "units" ("project", "ended")',
    `create table "samples" ("at" ${whole} not null, "span" ${whole} not null, "machine" text not null,
      "group_name" text not null, "project" ${whole} not null, "resource" text not null, "ppd" ${real} not null,
      constraint "samples_key" primary key ("span", "at", "machine", "group_name", "project", "resource"))`,
    `create table "actions" ("id" ${counted}, "at" ${whole} not null, "who" text not null, "machine" text not null,
      "command" text not null, "reason" text not null, "outcome" text)`,
    `create table "sessions" ("hash" text primary key, "user" text not null, "expires" ${whole} not null)`,
  ]),
  '002-schedules': statements(({ whole, real }) => [
    `create table "schedules" ("id" text primary key, "position" ${whole} not null, "content" text not null)`,
    `create table "inputs" ("name" text primary key, "value" ${real} not null, "at" ${whole} not null)`,
    'create table "schedule_states" ("key" text primary key, "content" text not null)',
  ]),
  '003-alerts': statements(({ whole }) => [
    `create table "incidents" ("id" text primary key, "key" text not null, "machine" text not null,
      "kind" text not null, "gravity" text not null, "state" text not null, "since" ${whole} not null,
      "ended" ${whole}, "occurrence" text not null, "value" text not null)`,
    'create index "incidents_key" on "incidents" ("key", "ended")',
    'create index "incidents_since" on "incidents" ("since", "id")',
    'create index "incidents_ended" on "incidents" ("ended")',
    'create table "memories" ("machine" text primary key, "value" text not null)',
    `create table "deliveries" ("id" text primary key, "rule" text not null, "channel" text not null,
      "state" text not null, "due" ${whole} not null, "failures" ${whole} not null, "error" text,
      "created" ${whole} not null, "settled" ${whole})`,
    'create index "deliveries_lane" on "deliveries" ("rule", "channel", "due")',
    'create index "deliveries_created" on "deliveries" ("created", "id")',
    `create table "alerts" ("key" text primary key, "occurrence" text not null, "incident" text not null,
      "rule" text not null, "channel" text not null, "phase" text not null, "at" ${whole} not null,
      "due" ${whole} not null, "state" text not null, "delivery" text, "value" text not null)`,
    'create index "alerts_due" on "alerts" ("rule", "channel", "state", "due")',
    'create index "alerts_occurrence" on "alerts" ("occurrence")',
    'create index "alerts_delivery" on "alerts" ("delivery")',
  ]),
  '004-push': statements(({ whole }) => [
    `create table "push_subscriptions" ("endpoint" text primary key, "person" text not null, "p256dh" text not null,
      "auth" text not null, "created" ${whole} not null)`,
  ]),
  '005-unit-speeds': statements(({ real }) => [
    `alter table "units" add column "tpf" ${real}`,
    `alter table "units" add column "progress" ${real}`,
  ]),
  '006-standings': statements(({ whole, real }) => [
    `create table "standings" ("kind" text not null, "name" text not null, "at" ${whole} not null,
      "score" ${real} not null, "wus" ${real} not null, constraint "standings_key" primary key ("kind", "name",
      "at"))`,
  ]),
  '007-leases-and-totals': statements(({ whole, real }) => [
    `create table "servers" ("id" text primary key, "url" text not null, "settings" text not null,
      "expires" ${whole} not null)`,
    'create table "holdings" ("resource" text primary key, "server" text not null)',
    `create table "account_machines" ("id" text primary key, "name" text not null, "position" ${whole} not null,
      "listed" ${whole} not null)`,
    `create table "totals" ("span" ${whole} not null, "dimension" text not null, "at" ${whole} not null,
      "name" text not null, "ppd" ${real} not null, constraint "totals_key" primary key ("span", "dimension", "at",
      "name"))`,
    `create table "progress" ("name" text primary key, "at" ${whole} not null)`,
    'create index "samples_machine" on "samples" ("machine", "span", "at")',
  ]),
  '008-shared': statements(({ whole }) => [
    `create table "shared" ("name" text primary key, "revision" ${whole} not null, "content" text not null)`,
  ]),
  '009-bounded-units': boundedUnitsMigration,
  '010-power': statements(({ whole, real }) => [
    `create table "prices" ("input" text not null, "at" ${whole} not null, "until" ${whole} not null,
      "price" ${real} not null, constraint "prices_key" primary key ("input", "at"))`,
    `create table "energy" ("machine" text not null, "at" ${whole} not null, "until" ${whole} not null,
      "seconds" ${real} not null, "watt_hours" ${real} not null, "points" ${real} not null,
      "cost" ${real} not null, "priced_watt_hours" ${real} not null, "grams" ${real} not null,
      "graded_watt_hours" ${real} not null, "origin" text not null, constraint "energy_key" primary key ("machine",
      "at"))`,
    'create index "energy_at" on "energy" ("at", "machine")',
  ]),
  '011-counters': statements(({ whole, real }) => [
    `create table "counters" ("meter" text primary key, "source" text not null, "at" ${whole} not null,
      "watt_hours" ${real} not null, "peak" ${real} not null)`,
  ]),
  '012-attempts': statements(({ whole }) => [`alter table "deliveries" add column "attempted" ${whole}`]),
  // Earlier sessions were made with nobody knows what: they end.
  '013-bound-sessions': statements(() => [`alter table "sessions" add column "made_with" text default '' not null`]),
  '014-set-aside': statements(() => ['create table "set_aside" ("from_table" text not null, "content" text not null)']),
  '015-credits': statements(({ whole, real }) => [
    `alter table "units" add column "logged_credit" ${real}`,
    `alter table "units" add column "credit_asked" ${whole}`,
  ]),
  '016-machine-indexes': statements(() => [
    'create index "units_machine" on "units" ("machine", "ended", "key")',
    'create index "incidents_machine" on "incidents" ("machine", "since", "id")',
    'create index "incidents_kind" on "incidents" ("kind", "since", "id")',
  ]),
  '017-alert-indexes': statements(() => [
    'create index "alerts_incident" on "alerts" ("incident", "rule", "channel")',
    'create index "alerts_age" on "alerts" ("due")',
    'create index "deliveries_state" on "deliveries" ("rule", "channel", "state")',
  ]),
}

/** The migrations as Kysely runs them on a database. */
export function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migrate]) => [name, { up: db => migrate(db, COLUMN_TYPES[kind]) }]),
  )
}
