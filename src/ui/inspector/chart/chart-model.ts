import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** A line of text in a state's box, or beside an arrow. */
export type ChartLine = {
  /** Id of the transition that the line describes, if any. */
  readonly transition?: string
  readonly text: string
}

export type ChartState = {
  readonly id: string
  readonly name: string
  readonly kind: AnyStateNode['type']
  readonly description: string
  /** Tags, invoked actors, entry and exit actions, and transitions without a target. */
  readonly lines: readonly ChartLine[]
  /** Id of the initial child state. */
  readonly initial: string | undefined
  readonly states: readonly ChartState[]
}

/** All transitions from one state to another. */
export type ChartArrow = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly lines: readonly Required<ChartLine>[]
}

export type Chart = { readonly root: ChartState; readonly arrows: readonly ChartArrow[] }

/** The chart of a machine's definition. */
export function chartOf({ root }: AnyStateMachine): Chart {
  return { root: stateOf(root), arrows: arrowsOf(root) }
}

/** Identifies a transition within a machine; the same for the definition and for inspection events. */
export function transitionId({ source, eventType, target, guard, actions }: AnyTransitionDefinition): string {
  return [
    (source as AnyStateNode).id,
    eventType,
    nameOf(guard),
    targetsOf(target).join(' '),
    actions.map(nameOf).join(' '),
  ].join('|')
}

function targetsOf(target: AnyTransitionDefinition['target']): readonly string[] {
  return (target ?? []).map(({ id }: { readonly id: string }) => id)
}

function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])]
}

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states)
}

function stateOf(node: AnyStateNode): ChartState {
  return {
    id: node.id,
    name: node.key,
    kind: node.type,
    description: node.description ?? '',
    lines: linesOf(node),
    initial: node.type === 'compound' ? targetsOf(node.initial.target)[0] : undefined,
    states: childrenOf(node).map(stateOf),
  }
}

function linesOf(node: AnyStateNode): readonly ChartLine[] {
  return [
    ...node.tags.map((tag: string) => ({ text: `# ${tag}` })),
    ...node.invoke.map(({ src, id }: { readonly src: unknown; readonly id: string }) => ({
      text: `runs ${typeof src === 'string' ? src : id}`,
    })),
    // Taken from the config, since XState adds timer actions to the node's own lists.
    ...doneOn('entry', node.config.entry),
    ...doneOn('exit', node.config.exit),
    ...transitionsOf(node)
      .filter(({ target }) => targetsOf(target).length === 0)
      .map(lineOf),
  ]
}

function doneOn(word: string, actions: unknown): readonly ChartLine[] {
  const names = (Array.isArray(actions) ? actions : [actions]).map(nameOf).filter(name => name !== '')
  return names.length === 0 ? [] : [{ text: `${word} / ${names.join(', ')}` }]
}

function arrowsOf(node: AnyStateNode): readonly ChartArrow[] {
  const arrows = new Map<string, ChartArrow & { readonly lines: Required<ChartLine>[] }>()
  const gather = (from: AnyStateNode): void => {
    for (const transition of transitionsOf(from))
      for (const to of targetsOf(transition.target)) {
        const id = `${from.id} → ${to}`
        const arrow = arrows.get(id) ?? { id, from: from.id, to, lines: [] }
        arrow.lines.push(lineOf(transition))
        arrows.set(id, arrow)
      }
    for (const child of childrenOf(from)) gather(child)
  }
  gather(node)
  return [...arrows.values()]
}

function lineOf(transition: AnyTransitionDefinition): Required<ChartLine> {
  const guard = nameOf(transition.guard)
  const actions = transition.actions.map(nameOf).filter(name => name !== '')
  const text = [
    eventLabel(transition),
    ...(guard === '' ? [] : [`[${guard}]`]),
    ...(actions.length === 0 ? [] : [`/ ${actions.join(', ')}`]),
  ].join(' ')
  return { transition: transitionId(transition), text }
}

/** What triggers the transition. */
function eventLabel(transition: AnyTransitionDefinition): string {
  const { eventType, source } = transition as { readonly eventType: string; readonly source: AnyStateNode }
  if (eventType === '') return 'always'
  if (eventType.startsWith('xstate.after.'))
    return `after ${delayLabel('delay' in transition ? transition.delay : undefined)}`
  const [, outcome, actor] = /^xstate\.(done|error|snapshot)\.actor\.(.*)$/.exec(eventType) ?? []
  if (actor !== undefined)
    return `${actorName(source, actor)} ${outcome === 'done' ? 'is done' : outcome === 'error' ? 'fails' : 'changes'}`
  if (eventType.startsWith('xstate.done.state.')) return 'when it is done'
  return eventType === '*' ? 'anything else' : eventType
}

function actorName(source: AnyStateNode, id: string): string {
  const invoked = source.invoke.find((each: { readonly id: string }) => each.id === id)
  return typeof invoked?.src === 'string' ? invoked.src : id
}

function delayLabel(delay: unknown): string {
  return typeof delay === 'number' ? `${delay} ms` : typeof delay === 'string' ? delay : 'a delay'
}

/** The name or type of a guard or action. */
function nameOf(part: unknown): string {
  if (part === undefined || part === null) return ''
  if (typeof part === 'string') return part
  if (typeof part === 'object') return 'type' in part && typeof part.type === 'string' ? part.type : ''
  if (typeof part !== 'function') return ''
  const type = 'type' in part && typeof part.type === 'string' ? part.type : part.name
  return type.replace(/^xstate\./, '')
}
