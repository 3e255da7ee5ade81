/** Where a picture is pasted: a background, and a line of text below. */
export type Setting = {
  readonly ground: string | undefined
  readonly color: string
  readonly font: string
  readonly caption: string | undefined
}

/** Shares of the picture's height. */
const TEXT_SIZE = 0.032
const MARGIN = 0.03

/** The picture with its background and caption, cut to this size. */
export async function composedPicture(
  picture: ImageData,
  { ground, color, font, caption }: Setting,
  [width, height]: readonly [number, number] = [picture.width, picture.height],
): Promise<OffscreenCanvas> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot make a picture now.')
  if (ground !== undefined) {
    context.fillStyle = ground
    context.fillRect(0, 0, width, height)
  }
  const bitmap = await createImageBitmap(picture)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  if (caption !== undefined) {
    const size = Math.max(10, Math.round(Math.min(width, height) * TEXT_SIZE))
    context.font = `${size}px ${font}`
    context.fillStyle = color
    context.textAlign = 'center'
    context.textBaseline = 'alphabetic'
    context.fillText(caption, width / 2, height - Math.round(height * MARGIN), width * (1 - 2 * MARGIN))
  }
  return canvas
}

/** What the element shows through, and how text looks in it. */
export function settingOf(element: Element, isTransparent: boolean, caption: string | undefined): Setting {
  const { color, fontFamily } = getComputedStyle(element)
  return { ground: isTransparent ? undefined : groundOf(element), color, font: fontFamily, caption }
}

const CLEAR = /^(?:transparent|rgba\(.*, 0\))$/

function groundOf(element: Element): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (!CLEAR.test(backgroundColor)) return backgroundColor
  }
  return 'white'
}
