/* A measured value that schedules tie to a machine, to a group of it or to a GPU: its temperature. */
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { groupNameOf } from '../client/group.ts'
import { modelOf } from '../fleet/processor-plan.ts'
import { texts } from '../shared/read.ts'
import { partChoice } from './parts.ts'
import { isPart, isTargetOf, type Rule } from './schedule.ts'
import type { SchedulesAnswer } from './server-answers.ts'

/** Whether a rule says what is too hot, or how warm it shall be. */
function isOfHeat(rule: Rule): rule is Extract<Rule, { kind: 'heat' | 'input' }> {
  return rule.kind === 'heat' || (rule.kind === 'input' && rule.compare === 'above' && rule.state !== 'fold')
}

function isOfUnit(group: string | undefined, data: ClientData, unit: Unit): boolean {
  if (!isPart(group)) return group === undefined || group === groupNameOf(unit)
  const [gpu] = texts(unit.gpus)
  const choice = partChoice(group)
  if (choice.kind === 'model') return gpu !== undefined && [gpu, modelOf(data, gpu)].includes(choice.model)
  return (choice.kind === 'gpus') === (gpu !== undefined)
}

/** The newest value for what computes a unit; `machine`: its number at the server. That of a group or GPU goes before that of all. */
export function tiedInput(
  { schedules, machines, inputs }: Pick<SchedulesAnswer, 'schedules' | 'machines' | 'inputs'>,
  machine: number | undefined,
  data: ClientData,
  unit: Unit,
): { readonly name: string; readonly value: number } | undefined {
  const client = machines.find(({ number }) => number === machine)
  if (client === undefined) return undefined
  const found = schedules.flatMap(({ targets, rules }) =>
    targets
      .filter(target => target.kind !== 'all' && isTargetOf(target, client) && isOfUnit(target.group, data, unit))
      .flatMap(({ group }) => rules.filter(isOfHeat).map(({ input }) => ({ input, group }))),
  )
  const tied = found.find(({ group }) => group !== undefined) ?? found[0]
  const input = inputs.find(({ name }) => name === tied?.input)
  return input === undefined ? undefined : { name: input.name, value: input.value }
}
