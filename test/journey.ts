import { createTestModel } from '@xstate/graph'
import type { AnyStateMachine, EventFrom, StateValueFrom } from 'xstate'

/** Done when what it returns is settled. */
type Part = () => unknown

/** What a driver must be able to do and to see: every event and every state of its model. A missing one does not compile. */
export type Driver<Model extends AnyStateMachine> = {
  readonly does: { readonly [Type in EventFrom<Model>['type']]: Part }
  readonly sees: { readonly [State in StateValueFrom<Model> & string]: Part }
}

export type Journey = {
  readonly title: string
  readonly start: string
  readonly steps: readonly { readonly event: string; readonly state: string }[]
}

type PathStep = { readonly event: { readonly type: string }; readonly state: { readonly value: unknown } }

type Path = { readonly steps: readonly PathStep[] }

/** Every simple path of a model that is not the beginning of another one. */
export function simpleJourneysOf(model: AnyStateMachine): readonly Journey[] {
  return createTestModel(model).getSimplePaths().map(journeyOf)
}

function journeyOf({ steps }: Path): Journey {
  const [first, ...others] = steps.map(({ event, state }) => ({ event: event.type, state: String(state.value) }))
  return { title: others.map(({ event }) => event).join(', then '), start: first?.state ?? '', steps: others }
}

/** Walks one path: does each step, then looks whether what the model promises can be seen. */
export async function walkJourney<Model extends AnyStateMachine>(
  { does, sees }: Driver<Model>,
  { start, steps }: Journey,
): Promise<void> {
  const doing: Readonly<Record<string, Part>> = does
  const seeing: Readonly<Record<string, Part>> = sees
  await partOf(seeing, start)()
  for (const { event, state } of steps) {
    await partOf(doing, event)()
    await partOf(seeing, state)()
  }
}

function partOf(parts: Readonly<Record<string, Part>>, name: string): Part {
  const part = parts[name]
  if (part === undefined) throw new Error(`The driver has no '${name}'.`)
  return part
}
