import ELK from 'elkjs/lib/elk.bundled.js'
import type { AnyStateMachine } from 'xstate'
import { drawChart, type Highlights, type Piece } from '../../src/ui/inspector/chart/chart-drawing.ts'
import { layoutChart } from '../../src/ui/inspector/chart/chart-layout.ts'
import { chartOf } from '../../src/ui/inspector/chart/chart-model.ts'
import { machines, models } from '../statecharts.ts'

const elk = new ELK()
const NO_HIGHLIGHTS: Highlights = { active: new Set(), transitions: new Set() }

/** The charts of all machines and models, by the names of their files. The output is deterministic. */
export async function drawCharts(): Promise<ReadonlyMap<string, string>> {
  const charts = new Map<string, string>()
  for (const { name, machine } of machines) charts.set(`${name}.svg`, await drawingOf(machine))
  for (const { name, machine } of models) charts.set(`model-${name}.svg`, await drawingOf(machine))
  return charts
}

async function drawingOf(machine: AnyStateMachine): Promise<string> {
  const placed = await layoutChart(chartOf(machine), elk)
  const { width, height } = placed
  const name = escape(machine.root.description ?? machine.id)
  const body = drawChart(placed, NO_HIGHLIGHTS).map(print).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">\n<style>${STYLE}</style>\n<rect width="${width}" height="${height}" class="paper"/>\n${body}\n</svg>\n`
}

function print({ tag, attributes, content }: Piece): string {
  const words = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('')
  return content.length === 0
    ? `<${tag}${words}/>`
    : `<${tag}${words}>${typeof content === 'string' ? escape(content) : content.map(print).join('')}</${tag}>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** A standalone file cannot use the product's design tokens. */
const STYLE = `
text { font: 11px/1 system-ui, sans-serif; fill: #57504a }
[data-part=name] { font-size: 13px; font-weight: 600; fill: #2a2520 }
[data-part=description] { font-style: italic }
[data-part=label] { fill: #6b2248 }
rect { fill: #fdfcfa; stroke: #8f867d }
.paper { fill: #f6f4f0; stroke: none }
[data-part=parallel] > rect { stroke-dasharray: 5 4 }
[data-part=way] { fill: none; stroke: #7d2a55 }
[data-part=head] { fill: #7d2a55 }
[data-part=dot] { fill: #2a2520 }
@media (prefers-color-scheme: dark) {
text { fill: #b3aca5 }
[data-part=name] { fill: #ebe7e2 }
[data-part=label] { fill: #e3a5c4 }
rect { fill: #221e1a; stroke: #857c73 }
.paper { fill: #191613 }
[data-part=way] { stroke: #c77fa4 }
[data-part=head] { fill: #c77fa4 }
[data-part=dot] { fill: #ebe7e2 }
}
`

/** The text of `docs/README.md`. */
export function overview(): string {
  const machineRows = machines.map(
    ({ name, source, machine }) => `| [${name}](../${source}) | ${machine.root.description ?? ''} |`,
  )
  const modelNames = models.map(({ name, source }) => `[${name}](../${source})`)
  return `# Documentation

- [protocol.md](protocol.md): what clients, relay nodes and the API send and receive, and what follows.
- [product.md](product.md): what the product does, its rules, and the reasons.
- [server.md](server.md): the server: set-up, security, settings, HTTP API, backup.
- [guide](guide/README.md): for people who fold; also in the page, at \`/help\`.
- [settings.md](settings.md): how pages reach clients, static hosts, and settings. [recordings.md](recordings.md): what a recording contains.
- [simulation.md](simulation.md): the whole world on a simulated clock: how it is made deterministic, and what it found.
- [channels.md](channels.md): kinds of alert channels. [field-reports.md](field-reports.md): public problem reports and how they are tested.
- \`glossaries\`: the words of each translation.

Comments cite sections of the first two; the check fails when a section does not exist. The rest of this page lists the statecharts.

# Statecharts

\`npm run docs\` writes this page, and draws each statechart into \`docs/charts\`, which is not in the repository; the check
fails when this page is stale. The inspector of the product draws the same charts with the states that are active.

A dot marks the initial state, a dashed box contains parallel states, \`#\` is a tag. The label of an arrow is the event,
\`[guard]\` and \`/ actions\`; transitions that stay in a state are listed in its box.

## Machines

| machine | what it is |
|---|---|
${machineRows.join('\n')}

## Models of user journeys

${modelNames.join(', ')}
`
}
