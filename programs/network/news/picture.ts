import { chance } from '../clients/random.ts'

/** A picture for an article, generated from its name: a chain of beads in front of two hills. */
export function heroPicture(hero: string): string {
  const hue = Math.floor(chance(0, hero, 'hue') * 360)
  const beads = Array.from({ length: 14 }, (_, index) => {
    const x = 60 + index * 37
    const y = 150 + 70 * Math.sin(index * (0.5 + chance(0, hero, 'wave')) + 6 * chance(0, hero, 'turn'))
    return `<circle cx="${x}" cy="${y.toFixed(1)}" r="${(12 + 10 * chance(0, hero, index)).toFixed(1)}" fill="hsl(${(hue + index * 9) % 360} 55% 55%)"/>`
  }).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300" viewBox="0 0 600 300">
<rect width="600" height="300" fill="hsl(${hue} 30% 90%)"/>
<path d="M0 300V210q150-70 300 0t300-20v110z" fill="hsl(${hue} 25% 75%)"/>
${beads}
</svg>
`
}
