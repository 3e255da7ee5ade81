export function fileURLToPath(url: URL): string {
  return url.pathname
}
