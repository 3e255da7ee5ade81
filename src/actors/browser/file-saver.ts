import type { FileToSave } from '../../machines/screens/viewer/viewer.events.ts'
import { downloadFile, type DownloadDeps } from '../../loading/download-file.ts'
import { loadCode } from '../../loading/load-code.ts'

export type FileSaverDeps = DownloadDeps & {
  /** Yields to the page. */
  readonly pause: () => Promise<void>
  readonly now: () => number
}

/** Milliseconds of work between two pauses. */
const SLICE = 12

/** Writes a file and saves it. A large one is written in slices, so that the page stays responsive. */
export function saveFile(deps: FileSaverDeps) {
  return async (wanted: FileToSave, signal: AbortSignal): Promise<undefined> => {
    const file = wanted.kind === 'picture' ? wanted.picture : await moleculeFile(deps, wanted, signal)
    if (!signal.aborted) downloadFile(file, wanted.name, deps)
  }
}

async function moleculeFile(
  { pause, now }: FileSaverDeps,
  { format, name, topology, frames }: FileToSave & { readonly kind: 'molecule' },
  signal: AbortSignal,
): Promise<Blob> {
  const texts = await loadCode(() => import('../../folding/molecule/molecule-files.ts'))
  const pieces: string[] = []
  let begun = now()
  for (const piece of texts[`${format}Text`](topology, frames, name)) {
    pieces.push(piece)
    if (now() - begun < SLICE) continue
    await pause()
    begun = now()
    if (signal.aborted) break
  }
  return new Blob(pieces, { type: `chemical/x-${format}` })
}
