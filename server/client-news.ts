import type { ListedMachine } from './news.ts'

const LOOK_MS = 1000

/** Compares the machines every second: their reports change with every update, and readers need no more. */
export const followMachines = <Machine extends ListedMachine>(
  machines: () => readonly Machine[],
  onChange: (before: Machine, machine: Machine) => void,
): (() => void) => {
  let last = machines()
  const timer = setInterval(() => {
    const current = machines()
    const earlier = last
    let numbered: ReadonlyMap<number, Machine> | undefined
    current.forEach((machine, index) => {
      // Machines of the account come and go; nearly always they are in the same place.
      const there = earlier[index]
      const before =
        there?.number === machine.number
          ? there
          : (numbered ??= new Map(earlier.map(each => [each.number, each]))).get(machine.number)
      const isSame =
        before === undefined ||
        before === machine ||
        (before.isConnected === machine.isConnected &&
          before.summary === machine.summary &&
          before.name === machine.name)
      if (!isSame) onChange(before, machine)
    })
    last = current
  }, LOOK_MS)
  return () => clearInterval(timer)
}
