import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import type { System } from '../../../src/machines/app/system.ts'
import { selectClientDraft } from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectDialog } from '../../../src/machines/shared/dialogs/dialogs.selectors.ts'
import { isHistoryComing } from '../../../src/machines/units/history/history.selectors.ts'
import type { OpenPage, World } from '../world.ts'

type OfPage = (page: OpenPage) => boolean

function machinesOf({ fleet }: System): readonly ClientRef[] {
  return Object.values(fleet.getSnapshot().context.members).map(({ ref }) => ref)
}

function isSavingMachine(ref: ClientRef): boolean {
  const settings = selectClientSettings(ref.getSnapshot())
  return settings !== undefined && selectClientDraft(settings.getSnapshot()).getSnapshot().hasTag('busy')
}

function hasPart({ app }: System, part: 'log' | 'viewer' | 'bulk'): boolean {
  return isPartThere(part)(app.getSnapshot())
}

/** What pages may be doing when a fault begins or ends. */
const ofPages: Readonly<Record<string, OfPage>> = {
  'a visible page': ({ tab }) => !tab.isHidden(),
  'a hidden page': ({ tab }) => tab.isHidden(),
  'signing in': ({ system }) => system.signIn.getSnapshot().hasTag('busy'),
  'signed in': ({ system }) => system.account.getSnapshot().hasTag('signedIn'),
  'without its node': ({ system }) =>
    system.account.getSnapshot().hasTag('signedIn') && !system.relay.getSnapshot().hasTag('connected'),
  'machines connecting': ({ system }) => machinesOf(system).some(ref => !ref.getSnapshot().hasTag('connected')),
  'commands waiting': ({ system }) =>
    machinesOf(system).some(ref =>
      ref.getSnapshot().context.queue.entries.some(({ status }) => status !== 'confirmed' && status !== 'ignored'),
    ),
  'saving settings': ({ system }) => machinesOf(system).some(isSavingMachine),
  'history coming': ({ system }) => isHistoryComing(system.history.getSnapshot()),
  'an action on many': ({ system }) => hasPart(system, 'bulk') && system.bulk.getSnapshot().hasTag('running'),
  'a log open': ({ system }) => hasPart(system, 'log') && system.log.getSnapshot().hasTag('present'),
  'a molecule open': ({ system }) =>
    hasPart(system, 'viewer') && system.viewer.getSnapshot().context.unit !== undefined,
  'a question': ({ system }) => selectDialog(system.dialogs.getSnapshot()) !== undefined,
}

const NO_PAGE = 'no page'

export const circumstances: readonly string[] = [NO_PAGE, ...Object.keys(ofPages)]

/** Those of now, of all open pages. */
export function circumstancesOf({ pages }: World): readonly string[] {
  const all = pages()
  if (all.length === 0) return [NO_PAGE]
  return Object.entries(ofPages).flatMap(([name, holds]) => (all.some(holds) ? [name] : []))
}
