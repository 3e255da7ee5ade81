import type { ListedMachine } from './http/api.ts'

const LOOK_MS = 1000

/** Compares the machines every second: their reports change with every update, and readers need no more. */
export const followMachines = <Machine extends ListedMachine>(
  machines: () => readonly Machine[],
  onChange: (before: Machine, machine: Machine) => void,
): (() => void) => {
  let last = machines()
  const timer = setInterval(() => {
    const current = machines()
    const earlier = new Map(last.map(machine => [machine.number, machine]))
    current.forEach(machine => {
      const before = earlier.get(machine.number)
      const isSame =
        before === undefined ||
        (before.isConnected === machine.isConnected &&
          before.summary === machine.summary &&
          before.name === machine.name)
      if (!isSame) onChange(before, machine)
    })
    last = current
  }, LOOK_MS)
  return () => clearInterval(timer)
}
