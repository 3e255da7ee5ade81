import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import { selectLogLines, selectName } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectAccount } from '../../../src/machines/account/account/account.selectors.ts'
import type { FleetClient } from '../../network/index.ts'
import { isJsonList, type Json } from '../../../src/protocol/json.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'
import { MINUTE } from '../time/durations.ts'
import { createLasting } from './lasting.ts'

/** Describes the first difference of two values; undefined when they are equal. */
function differenceOf(seen: unknown, real: unknown, at = ''): string | undefined {
  if (Object.is(seen, real)) return undefined
  if (typeof seen !== 'object' || typeof real !== 'object' || seen === null || real === null)
    return `${at} is ${JSON.stringify(seen)} instead of ${JSON.stringify(real)}`
  const [one, other] = [new Map(Object.entries(seen)), new Map(Object.entries(real))]
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const difference = differenceOf(one.get(key), other.get(key), `${at}/${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function logOf({ client }: FleetClient): readonly Json[] {
  const contents: Json[] = []
  const port = client.attach(content => void contents.push(content))
  port.receive({ cmd: 'log', enable: true })
  port.detach()
  const said = contents.find(content => isJsonList(content) && content[0] === 'log')
  const lines = isJsonList(said) ? said.at(-1) : []
  return isJsonList(lines) ? lines : []
}

function logDifference(seen: readonly string[], real: readonly Json[]): string | undefined {
  if (seen.length !== real.length) return `has ${seen.length} lines of log instead of ${real.length}`
  const at = seen.findIndex((line, index) => line !== real[index])
  return at < 0 ? undefined : `line ${at} of its log is ${seen[at]} instead of ${JSON.stringify(real[at])}`
}

function wrongLogs(page: OpenPage, { world, books }: Checked): ReadonlyMap<string, string> {
  const { members } = page.system.fleet.getSnapshot().context
  const wrong = new Map<string, string>()
  for (const client of books.clients()) {
    const isLocal = client === world.network.local
    const snapshot = members[isLocal ? DIRECT_ID : client.id]?.ref.getSnapshot()
    if (snapshot === undefined || !snapshot.hasTag('connected') || snapshot.context.asOf !== undefined) continue
    if (snapshot.context.logReaders === 0) continue
    const difference = logDifference([...selectLogLines(snapshot)], logOf(client))
    if (difference !== undefined) wrong.set(client.id, `${client.client.name()}: ${difference}`)
  }
  return wrong
}

function wrongNames(page: OpenPage, { world, books }: Checked): ReadonlyMap<string, string> {
  const { members } = page.system.fleet.getSnapshot().context
  const wrong = new Map<string, string>()
  for (const client of books.clients()) {
    // A direct one may have a name of this browser alone.
    const snapshot = client === world.network.local ? undefined : members[client.id]?.ref.getSnapshot()
    if (snapshot === undefined || !snapshot.hasTag('connected') || snapshot.context.asOf !== undefined) continue
    const [name, shown] = [client.client.name(), selectName(snapshot)]
    // One that was installed anew has a namesake, from which a mark in parentheses tells it.
    if (shown !== name && !shown.startsWith(`${name} (`)) wrong.set(client.id, `${name} is called ${shown}`)
  }
  return wrong
}

/** Milliseconds until a page asks for its account again, of which nobody tells it, and has the answer. */
const ASKED_AGAIN = 11 * MINUTE

const checkLogs = createLasting(wrongLogs)
const checkNames = createLasting(wrongNames, ASKED_AGAIN)

export const sameNamesAndLogs: Invariant = {
  name: 'names and logs as they are',
  reason: 'Somebody who reads the log of a machine looks for what happened there.',
  check: checked => checkLogs(checked) ?? checkNames(checked),
}

export const nothingTwice: Invariant = {
  name: 'nothing is shown twice',
  reason: 'A node may repeat what it has passed on: what is counted twice is wrong until the page is loaded again.',
  check: onEachPage((page, { world, books }) => {
    const { members } = page.system.fleet.getSnapshot().context
    for (const client of world.network.clients()) {
      const snapshot = members[client.id]?.ref.getSnapshot()
      if (snapshot === undefined) continue
      const isLogRead = snapshot.context.logReaders > 0
      const [shown, real] = isLogRead ? [selectLogLines(snapshot).length, logOf(client).length] : [0, 0]
      if (shown > real)
        return `${page.device.name}: the log of ${client.client.name()} has ${shown} lines instead of ${real}`
      const units = snapshot.context.record.data?.units.map(({ id }) => id) ?? []
      const twice = units.find((id, index) => id !== undefined && id !== '' && units.indexOf(id) !== index)
      const isReal = books.stateOf(client)?.units.filter(({ id }) => id === twice).length !== 1
      if (twice !== undefined && !isReal)
        return `${page.device.name}: ${client.client.name()} has the unit ${twice} twice`
    }
    return undefined
  }),
}

type Stored = Awaited<ReturnType<Checked['world']['network']['stored']>>

/** The account as it was stored when it was last asked for. */
let stored: Stored
/** When a machine of the account was last seen to have another name, or to be gone. */
const changedAt = new Map<string, number>()
/** Since when a page has its node. */
const connectedSince = new WeakMap<OpenPage, number>()

function remember(account: Stored, now: number): void {
  const names = new Map((account?.machines ?? []).map(({ id, name }) => [id, name]))
  for (const { id, name } of stored?.machines ?? []) if (names.get(id) !== name) changedAt.set(id, now)
  stored = account
}

/** Nobody tells pages that a machine was renamed or removed elsewhere. They ask when they have their node again. */
function isNews(page: OpenPage, id: string): boolean {
  return (changedAt.get(id) ?? -Infinity) >= (connectedSince.get(page) ?? Infinity)
}

function wrongAccount(page: OpenPage): ReadonlyMap<string, string> {
  const { system } = page
  const snapshot = system.account.getSnapshot()
  const seen = selectAccount(snapshot)
  if (!snapshot.hasTag('signedIn') || stored === undefined || seen === undefined) return new Map()
  const { members } = system.fleet.getSnapshot().context
  const wrong = new Map<string, string>()
  if (!system.relay.getSnapshot().hasTag('connected')) wrong.set('node', 'the node is not connected')
  const { user, team, cause, machines } = stored
  const settledById = (list: Machines) => byId(list.filter(({ id }) => !isNews(page, id)))
  const difference = differenceOf(
    { user: seen.user, team: seen.team, cause: seen.cause, machines: settledById(seen.machines ?? []) },
    { user, team, cause, machines: settledById(machines) },
    'the account',
  )
  if (difference !== undefined) wrong.set('account', difference)
  for (const { id } of machines) if (members[id] === undefined) wrong.set(`unseen ${id}`, `${id} is not shown`)
  for (const id of unreal(page)) if (!isNews(page, id)) wrong.set(`unreal ${id}`, `${id} is shown`)
  return wrong
}

/** Machines that are shown and are not of the account. One that is to be told yet that it was removed is not shown. */
function unreal({ system }: OpenPage): readonly string[] {
  const { members, leaving } = system.fleet.getSnapshot().context
  return Object.entries(members).flatMap(([id, { kind }]) =>
    kind === 'relay' && stored?.machines.every(one => one.id !== id) === true && !leaving.includes(id) ? [id] : [],
  )
}

function wrongNews(page: OpenPage): ReadonlyMap<string, string> {
  const seen = selectAccount(page.system.account.getSnapshot())
  if (!page.system.account.getSnapshot().hasTag('signedIn') || stored === undefined || seen === undefined)
    return new Map()
  const names = byId(stored.machines)
  const renamed = (seen.machines ?? []).filter(({ id, name }) => names[id] !== undefined && names[id] !== name)
  return new Map([
    ...renamed.map(({ id, name }) => [id, `${name} has the name ${names[id]} in the account`] as const),
    ...unreal(page).map(id => [id, `${id} is shown, and not of the account`] as const),
  ])
}

type Machines = readonly { readonly id: string; readonly name?: string }[]

function byId(machines: Machines) {
  return Object.fromEntries(machines.map(({ id, name }) => [id, name]))
}

/** Newcomers have accounts of their own. */
function isOfHome(page: OpenPage): boolean {
  const email = selectAccount(page.system.account.getSnapshot())?.email
  return email === undefined || !email.startsWith('newcomer')
}

const checkAccount = createLasting(page => (isOfHome(page) ? wrongAccount(page) : new Map()))
const checkNews = createLasting(page => (isOfHome(page) ? wrongNews(page) : new Map()), ASKED_AGAIN)

export const sameAccount: Invariant = {
  name: 'the account as it is stored',
  reason: 'Whoever edits an account that was changed elsewhere undoes that.',
  check: checked => {
    const { scheduler } = checked.world
    void checked.world.network.stored().then(account => remember(account, scheduler.now()))
    for (const page of checked.world.pages())
      if (!page.system.relay.getSnapshot().hasTag('connected')) connectedSince.delete(page)
      else if (!connectedSince.has(page)) connectedSince.set(page, scheduler.now())
    return checkAccount(checked) ?? checkNews(checked)
  },
}
