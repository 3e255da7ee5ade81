export type AwardKind = 'wus' | 'score'
export type Award = { user: string; team: string | undefined; kind: AwardKind; reached: number }

/** The largest of 1, 2, 5, 10, 20, 50 … up to `count`; 0 if there is none. */
export function milestoneFor(count: number): number {
  if (count < 1) return 0
  const power = 10 ** Math.floor(Math.log10(count))
  return ([5, 2, 1].find(step => step * power <= count) ?? 1) * power
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function shortened(text: string): string {
  return Array.from(text).length > 34 ? `${Array.from(text).slice(0, 33).join('')}…` : text
}

function ring(reached: number): string {
  const beads = Math.min(24, 6 + 2 * String(reached).length)
  return Array.from({ length: beads }, (_, index) => {
    const angle = (2 * Math.PI * index) / beads
    return `<circle cx="${(110 + 72 * Math.cos(angle)).toFixed(1)}" cy="${(150 + 72 * Math.sin(angle)).toFixed(1)}" r="9" fill="hsl(${170 + index * 5} 45% 45%)"/>`
  }).join('')
}

/** A certificate as SVG, without external resources. */
export function awardPicture({ user, team, kind, reached }: Award): string {
  const what = kind === 'wus' ? (reached === 1 ? 'work unit' : 'work units') : 'points'
  const count = reached.toLocaleString('en')
  const font = 'font-family="Georgia, serif" fill="#1d2b33"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300" viewBox="0 0 600 300" role="img" aria-label="${escaped(`${user}: ${count} ${what}`)}">
<rect width="600" height="300" fill="#fbfaf5"/><rect x="8" y="8" width="584" height="284" fill="none" stroke="#4a8079" stroke-width="3"/>
${ring(reached)}
<text x="110" y="156" text-anchor="middle" ${font} font-size="20">${count}</text>
<text x="220" y="110" ${font} font-size="24">${escaped(shortened(user))}</text>
<text x="220" y="150" ${font} font-size="18">has completed ${count} ${what}</text>
<text x="220" y="180" ${font} font-size="18">${team === undefined ? 'for the embedded network of Foldboard' : escaped(shortened(`for ${team}`))}</text>
</svg>
`
}
