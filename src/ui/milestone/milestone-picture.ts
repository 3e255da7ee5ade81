export type Milestone = {
  readonly title: string
  /** Below the title, each in a line of its own. */
  readonly lines: readonly string[]
}

/** Pixels, in the proportion in which pages show pictures of links. */
export const SIZE = { width: 1200, height: 630 } as const

const PAD = 64
const TITLE = 88
const LINE = 36

/** What the picture shows, as text. */
export function alternativeText({ title, lines }: Milestone): string {
  return [title, ...lines].join(', ')
}

/** The words of a text in lines of at most this width. */
function wrapped(context: CanvasRenderingContext2D, text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length > 0 && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Draws it in the colors and the direction of the canvas's surroundings, beside the molecule if there is one. */
export function drawMilestone(
  canvas: HTMLCanvasElement,
  { title, lines }: Milestone,
  molecule: ImageBitmap | undefined,
) {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { color, backgroundColor, fontFamily, direction } = getComputedStyle(canvas)
  const { width, height } = SIZE
  context.fillStyle = backgroundColor
  context.fillRect(0, 0, width, height)
  const isToLeft = direction === 'rtl'
  const room = molecule === undefined ? width - 2 * PAD : width / 2 - PAD
  const start = isToLeft ? width - PAD : PAD
  if (molecule !== undefined)
    context.drawImage(molecule, isToLeft ? 0 : width - molecule.width, (height - molecule.height) / 2)
  context.fillStyle = color
  context.direction = isToLeft ? 'rtl' : 'ltr'
  context.textAlign = 'start'
  context.textBaseline = 'top'
  context.font = `700 ${TITLE}px ${fontFamily}`
  let top = PAD
  for (const line of wrapped(context, title, room)) {
    context.fillText(line, start, top, room)
    top += TITLE * 1.15
  }
  context.font = `${LINE}px ${fontFamily}`
  top += LINE
  for (const line of lines) {
    context.fillText(line, start, top, room)
    top += LINE * 1.5
  }
  context.fillText(['Folding@home', 'Foldboard'].join(' · '), start, height - PAD - LINE, room)
}
