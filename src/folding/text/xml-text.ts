const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A text or value of XML, with its characters in place of their entities. */
export function xmlText(written: string): string {
  return written.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (_, name, decimal, hex) =>
    typeof name === 'string'
      ? (ENTITIES[name.toLowerCase()] ?? '')
      : String.fromCodePoint(Number(decimal ?? `0x${String(hex)}`)),
  )
}
