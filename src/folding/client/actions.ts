import { t } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client/client-data.ts'
import { type ClientLimit, type ClientView, infoOf, isTooOld } from './client.ts'
import { text } from '../shared/read.ts'
import { isHeld } from '../unit/unit-meaning.ts'

/** What a user can do with a client or one of its work units (docs/product.md §2). */
export type Action = 'fold' | 'pause' | 'finish' | 'settings' | 'details' | 'log' | 'unit' | 'view' | 'dump'

/**
 * Why an action is disabled now, in one sentence for hover and focus; undefined when it is enabled (docs/product.md §6).
 * Actions on a unit need the unit.
 */
export function actionBlocker(action: Action, client: ClientView, unit?: Unit): string | undefined {
  return CHECKS[action].map(check => check(client, unit)).find(reason => reason !== undefined)
}

type Check = (client: ClientView, unit: Unit | undefined) => string | undefined

const connected: Check = ({ isConnected, isLoading }) =>
  isConnected ? undefined : isLoading === true ? t`The machine is loading.` : t`The machine is not connected.`
const newEnough: Check = client =>
  isTooOld(client) ? t`The machine’s client is too old to be controlled from here.` : undefined
const identified: Check = client =>
  (text(infoOf(client)?.id) ?? text(client.id)) === undefined ? t`The machine has not reported its ID yet.` : undefined
const versioned: Check = client =>
  text(infoOf(client)?.version) === undefined ? t`The machine has not reported its details yet.` : undefined
/** Why a server does not pass a command on; undefined when it does, and without such a server. */
export function actionBlockerOf(command: string, limit: ClientLimit | undefined): string | undefined {
  if (limit === undefined || limit.commands.includes(command)) return undefined
  if (limit.because === 'role') return t`You are signed in to this server as a viewer, and viewers send no commands.`
  return limit.commands.length === 0
    ? t`This server only observes this machine.`
    : t`The settings of this server do not allow this for this machine.`
}

/** A server may only observe a client, or its user may only look (docs/server.md). */
function allowed(command: 'state' | 'config' | 'dump'): Check {
  return ({ limit }) => actionBlockerOf(command, limit)
}
const withUnit: Check = (_, unit) => (unit === undefined ? t`There is no work unit.` : undefined)
const withWork: Check = (_, unit) =>
  unit?.state === 'ASSIGN' || unit?.state === 'DOWNLOAD' ? t`The work unit has not been downloaded yet.` : undefined
const pausedUnit: Check = (_, unit) => {
  if (unit?.state === 'DUMP') return t`The work unit is being dumped already.`
  return unit === undefined || isHeld(unit) ? undefined : t`Only a paused work unit can be dumped. Pause it first.`
}
const withUnitId: Check = (_, unit) =>
  unit === undefined || text(unit.id) !== undefined ? undefined : t`The work unit has no ID.`

const CHECKS: Readonly<Record<Action, readonly Check[]>> = {
  fold: [newEnough, connected, allowed('state')],
  pause: [newEnough, connected, allowed('state')],
  finish: [newEnough, connected, allowed('state')],
  settings: [newEnough, identified, allowed('config')],
  details: [versioned],
  log: [newEnough, connected],
  unit: [withUnit, withUnitId],
  view: [newEnough, withUnit, withUnitId, connected, withWork],
  dump: [newEnough, withUnit, withUnitId, connected, allowed('dump'), pausedUnit],
}
