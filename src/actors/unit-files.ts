import type { FileReading } from '../folding/unit-file.ts'
import type { ExportTask, ImportTask } from '../machines/units/history/history.events.ts'
import { loadCode } from '../loading/load-code.ts'
import { download, type DownloadDeps } from './download.ts'

export type FileDeps = DownloadDeps & { readonly now: () => number }

const LARGEST = 64 * 1024 * 1024

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** Has the browser save units as a file; gives how many. What writes and reads files is fetched when it is wanted. */
export const exportUnits =
  (deps: FileDeps) =>
  async ({ format, excerpt }: ExportTask): Promise<number> => {
    const text =
      format === 'csv'
        ? (await loadCode(() => import('../folding/unit-csv.ts'))).writeCsv(excerpt)
        : (await loadCode(() => import('../folding/unit-file.ts'))).writeJson(excerpt)
    // Without the mark, spreadsheets take UTF-8 for something else.
    const parts = format === 'csv' ? ['\uFEFF', text] : [text]
    download(
      deps,
      new Blob(parts, { type: types[format] }),
      `work-units-${new Date(deps.now()).toISOString().slice(0, 10)}.${format}`,
    )
    return excerpt.units.length
  }

/** Reads a file of units, whatever it holds. */
export const importUnits = async ({ file }: ImportTask): Promise<FileReading> => {
  if (file.size > LARGEST) return { ok: false, reason: 'The file is larger than 64 MB.' }
  const text = await file.text()
  const { readJson } = await loadCode(() => import('../folding/unit-file.ts'))
  return /^\s*[{[]/.test(text) ? readJson(text) : (await loadCode(() => import('../folding/unit-csv.ts'))).readCsv(text)
}
