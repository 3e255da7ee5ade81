import type { AnyStateMachine } from 'xstate'

export type Statechart = { readonly name: string; readonly source: string; readonly machine: AnyStateMachine }
type Exports = Readonly<Record<string, unknown>>

const machineFiles = import.meta.glob<Exports>(
  ['../src/machines/**/*.machine.ts', '../programs/server/machines/**/*.machine.ts'],
  { eager: true },
)
const modelFiles = import.meta.glob<Exports>('../models/*.model.ts', { eager: true })

/** Every statechart that the files export, once, in the order of their names. */
function chartsIn(files: Readonly<Record<string, Exports>>): readonly Statechart[] {
  const charts = new Map<string, Statechart>()
  for (const path of Object.keys(files).sort())
    for (const machine of Object.values(files[path] ?? {}).filter(isMachine)) {
      const name = machine.id.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
      // A machine that others make for themselves is exported by them.
      const isOwn = (file: string): boolean => file.endsWith(`/${name}.machine.ts`)
      const source = (isOwn(path) ? path : (Object.keys(files).find(isOwn) ?? path)).replace('../', '')
      if (!charts.has(name)) charts.set(name, { name, source, machine })
    }
  return [...charts.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

function isMachine(value: unknown): value is AnyStateMachine {
  return typeof value === 'object' && value !== null && 'root' in value && 'provide' in value
}

/** The statecharts of the product. */
export const machines = chartsIn(machineFiles)
/** The statecharts of what a person does. */
export const models = chartsIn(modelFiles)
