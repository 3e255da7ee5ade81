import type { FleetClient, Network } from '../../network/index.ts'
import type { Account } from '../../src/protocol/api.ts'
import { isSignedIn, selectAccount } from '../../src/machines/account/account/account.selectors.ts'
import { isConnected, selectLogLines, selectName } from '../../src/machines/connection/client/client.selectors.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { System } from '../../src/machines/app/system.ts'
import { DIRECT_ID } from '../../src/folding/client/client.ts'
import { groupState } from '../../src/folding/client/group.ts'
import { idOfAddress } from '../../src/machines/connection/fleet/fleet.context.ts'
import { decodeClientContent } from '../../src/protocol/client-message.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import type { FoldingState } from '../../src/protocol/commands.ts'
import { isJsonList, type Json } from '../../src/protocol/json.ts'

/** The full state of a client, as it sends it to a new connection. */
const dataOf = ({ client }: FleetClient): ClientData | undefined => {
  const received: Json[] = []
  client.attach(content => received.push(content)).detach()
  const fact = decodeClientContent(received[0] ?? null).find(({ type }) => type === 'snapshot.received')
  return fact?.type === 'snapshot.received' ? fact.data : undefined
}

const logOf = ({ client }: FleetClient): readonly Json[] => {
  const received: Json[] = []
  const port = client.attach(content => received.push(content))
  port.receive({ cmd: 'log', enable: true })
  port.detach()
  const said = received.find(content => isJsonList(content) && content[0] === 'log')
  const lines = isJsonList(said) ? said.at(-1) : []
  return isJsonList(lines) ? lines : []
}

/** The state of a client that a screen must show. */
export type ExpectedClient = {
  readonly name: string
  readonly isThere: boolean
  readonly units: number
  readonly isPaused: boolean
  readonly groups: Readonly<Record<string, FoldingState>>
}

export const expectedClients = (network: Network): readonly ExpectedClient[] =>
  network.clients().map(client => {
    const data = dataOf(client)
    const groups = Object.entries(data?.groups ?? {}).map(([name, group]) => [name, groupState(group)] as const)
    return {
      name: client.client.name(),
      isThere: client.isOnline(),
      units: data?.units.length ?? 0,
      isPaused: groups.every(([, state]) => state === 'pause'),
      groups: Object.fromEntries(groups),
    }
  })

/** Describes the first difference of two values; undefined when they are equal. */
const differenceOf = (seen: unknown, real: unknown, at = ''): string | undefined => {
  if (Object.is(seen, real)) return undefined
  if (typeof seen !== 'object' || typeof real !== 'object' || seen === null || real === null)
    return `${at}: ${JSON.stringify(seen)} instead of ${JSON.stringify(real)}`
  const [one, other] = [seen as Readonly<Record<string, unknown>>, real as Readonly<Record<string, unknown>>]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const difference = differenceOf(one[key], other[key], `${at}/${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

const logDifference = (seen: readonly string[], real: readonly Json[]): string | undefined => {
  if (seen.length !== real.length) return `${seen.length} lines of log instead of ${real.length}`
  const at = seen.findIndex((line, index) => line !== real[index])
  return at < 0
    ? undefined
    : `line ${at} of its log is ${JSON.stringify(seen[at])} instead of ${JSON.stringify(real[at])}`
}

type Expected = {
  readonly machine: FleetClient | undefined
  readonly isThere: boolean
  readonly name?: string | undefined
}

const clientDifferences = (
  id: string,
  ref: ClientRef,
  { machine: client, isThere, name }: Expected,
): readonly string[] => {
  const snapshot = ref.getSnapshot()
  if (isConnected(snapshot) !== isThere)
    return [
      `${id} is ${isThere ? 'there, but not shown as connected' : 'not there, but shown as connected'}: ${JSON.stringify(snapshot.value)}`,
    ]
  if (client === undefined || !isThere) return []
  const { record, logReaders } = snapshot.context
  return [
    name === undefined || selectName(snapshot) === name
      ? undefined
      : `${id} is called ${selectName(snapshot)} instead of ${name}`,
    differenceOf(record.data, dataOf(client), id),
    logReaders === 0 ? undefined : logDifference([...selectLogLines(snapshot)], logOf(client)),
  ].filter(difference => difference !== undefined)
}

/** By client, or 'account': in what the dashboard differs from the network. `account`: as the API has it. */
export const differences = (
  { fleet, account: accountRef, relay }: System,
  network: Network,
  account: Account,
): ReadonlyMap<string, readonly string[]> => {
  const { members, addresses } = fleet.getSnapshot().context
  const signedIn = accountRef.getSnapshot()
  const expected = new Map<string, Expected>()
  const isThere = network.direct.isListening()
  expected.set(DIRECT_ID, { machine: network.local, isThere })
  for (const { address } of addresses)
    expected.set(idOfAddress(address), {
      machine: network.local,
      isThere: isThere && address === network.directAddress,
    })
  if (isSignedIn(signedIn)) {
    for (const { id, name } of account.machines ?? []) {
      const client = [...network.clients(), network.local].find(each => each.id === id)
      expected.set(id, { machine: client, isThere: client?.isOnline() === true, name })
    }
  }
  const unseen = [...expected.keys()].filter(id => members[id] === undefined).map(id => `${id} is not shown`)
  const unreal = Object.keys(members)
    .filter(id => !expected.has(id))
    .map(id => `${id} is shown`)
  const clients = [...expected].map(([id, real]) => {
    const ref = members[id]?.ref
    return [id, ref === undefined ? [] : clientDifferences(id, ref, real)] as const
  })
  const seen = selectAccount(signedIn)
  const { user, team, cause, machines: named, node } = account
  const whose = isSignedIn(signedIn)
    ? [
        differenceOf(
          { user: seen?.user, team: seen?.team, cause: seen?.cause, machines: seen?.machines, node: seen?.node },
          { user, team, cause, machines: named, node },
          'account',
        ),
        relay.getSnapshot().hasTag('connected') ? undefined : 'the relay is not connected',
      ].filter(difference => difference !== undefined)
    : [signedIn.matches('signedOut') ? [] : [`the account is ${JSON.stringify(signedIn.value)}`]].flat()
  return new Map([...clients, ['fleet', [...unseen, ...unreal]], ['account', whose]])
}
