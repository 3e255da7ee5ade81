/** Lines such as clients write, of one that folds. Each contains its own number, and most have a time of their own. */
export function folded(
  count: number,
  { from = 0, endsAt = 12 * 3600 }: { readonly from?: number; readonly endsAt?: number } = {},
): readonly string[] {
  return Array.from({ length: count }, (_, index) => lineAt(from + index, endsAt - (count - 1 - index)))
}

const RED = 91
const YELLOW = 93

function lineAt(number: number, second: number): string {
  const time = clockText(second)
  const unit = `WU${20 + (Math.floor(number / 100) % 5)}`
  if (number % 97 === 0)
    return colored(RED, `${time}:E :${unit}:Failed to reach 10.0.0.${number % 250}: line ${number}`)
  if (number % 41 === 0) return colored(YELLOW, `${time}:W :${unit}:Retrying in 30s: line ${number}`)
  if (number % 13 === 0)
    return `${time}:I2:${unit}:< 127.0.0.1 GET /api/websocket HTTP/1.1 with a request that is rather long, ${'as some of them are, '.repeat(4)}line ${number}`
  return `${time}:I1:${unit}:Completed ${(number % 100) * 5000} out of 500000 steps (${number % 100}%), line ${number}`
}

const DAY = 86_400
function two(value: number): string {
  return String(value).padStart(2, '0')
}

function clockText(second: number): string {
  const ofDay = ((second % DAY) + DAY) % DAY
  return `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`
}

function colored(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`
}
