/** Colors for the contrast test: OKLCH as written in tokens.css to linear sRGB, by the matrices of CSS Color 4. */
export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

export function parseOklch(text: string): Oklch | undefined {
  const match = /^oklch\(\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*\)$/.exec(text.trim())
  if (match === null) return undefined
  return { lightness: Number(match[1]), chroma: Number(match[2]), hue: Number(match[3]) }
}

export function linearRgbOf({ lightness, chroma, hue }: Oklch): readonly [number, number, number] {
  const angle = (hue * Math.PI) / 180
  const a = chroma * Math.cos(angle)
  const b = chroma * Math.sin(angle)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** True when a screen of ordinary gamut can show the color exactly. */
export function isInSrgb(color: Oklch): boolean {
  return linearRgbOf(color).every(channel => channel >= -0.002 && channel <= 1.002)
}

function luminanceOf(color: Oklch): number {
  const [red, green, blue] = linearRgbOf(color).map(channel => Math.min(1, Math.max(0, channel)))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrastOf(one: Oklch, other: Oklch): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}
