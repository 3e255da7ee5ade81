import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import type { PartName } from '../../../src/machines/app/app.parts.ts'
import type { System } from '../../../src/machines/app/system.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import type { PersonScene } from '../story/scene.ts'
import type { Chance } from '../time/chance.ts'
import type { OpenPage } from '../world.ts'

/** What somebody does. Returns it in words; undefined when there was nothing to do. */
export type Action = (scene: PersonScene) => string | undefined

/** An action on the page that is looked at. */
export function onPage(act: (page: OpenPage, scene: PersonScene) => string | undefined): Action {
  return scene => {
    const [page] = scene.person.pages
    return page === undefined ? undefined : act(page, scene)
  }
}

export function machinesOf({ system }: OpenPage): readonly ClientRef[] {
  return Object.values(system.fleet.getSnapshot().context.members).map(({ ref }) => ref)
}

export function connectedOf(page: OpenPage): readonly ClientRef[] {
  return machinesOf(page).filter(machine => machine.getSnapshot().hasTag('connected'))
}

export const FOLDING_STATES = ['fold', 'pause', 'finish'] as const

/** Tells a machine something, if its page allows it. */
export function tellMachineTo(
  ref: ClientRef | undefined,
  page: OpenPage,
  { chance, books }: PersonScene,
): string | undefined {
  const state = chance.oneOf(FOLDING_STATES) ?? 'fold'
  if (ref?.getSnapshot().can({ type: 'client.setState', state }) !== true) return undefined
  books.asked(page, ref, state)
  ref.send({ type: 'client.setState', state })
  return `tells ${ref.id.slice(0, 8)} to ${state}`
}

/** Asks for a part of the page whose code comes later, and says whether it is there. */
export function hasPart({ app }: System, part: PartName): boolean {
  app.send({ type: 'app.want', part })
  return isPartThere(part)(app.getSnapshot())
}

/** Sends one of these events, often some more in their order, and returns the name of the first. */
export function sendSome<Event extends { readonly type: string }>(
  ref: { readonly send: (event: Event) => void },
  chance: Chance,
  events: readonly Event[],
): string {
  const first = chance.whole(0, events.length - 1)
  const count = chance.isTrue(0.5) ? 1 : chance.whole(2, 5)
  for (const event of events.slice(first, first + count)) ref.send(event)
  return events[first]?.type ?? 'nothing'
}
