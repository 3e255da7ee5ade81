import { t } from '@lingui/core/macro'
import type { FileReading } from '../../folding/unit/unit-file.ts'
import type { Exported, ExportTask, ImportTask } from '../../machines/units/history/history.events.ts'
import { downloadFile, type DownloadDeps } from '../../loading/download-file.ts'
import { loadCode } from '../../loading/load-code.ts'
import { HISTORY_FILE_BYTES } from '../limits.ts'

export type FileDeps = DownloadDeps & { readonly now: () => number }

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** Saves units as a file. The code that writes and reads files is loaded on demand. */
export function exportUnits(deps: FileDeps) {
  return async ({ format, excerpt, withMachineIds: withClientIds }: ExportTask): Promise<Exported> => {
    const text =
      format === 'csv'
        ? (await loadCode(() => import('../../folding/unit/unit-csv.ts'))).writeCsv(excerpt, withClientIds)
        : (await loadCode(() => import('../../folding/unit/unit-file.ts'))).writeJson(excerpt)
    // Spreadsheets detect UTF-8 by the byte order mark.
    const parts = format === 'csv' ? ['\uFEFF', text] : [text]
    downloadFile(
      new Blob(parts, { type: types[format] }),
      `work-units-${new Date(deps.now()).toISOString().slice(0, 10)}.${format}`,
      deps,
    )
    return { count: excerpt.units.length, holdsMachineIds: withClientIds }
  }
}

/** Reads a JSON or CSV file of units; never rejects because of what the file holds. */
export async function importUnits({ file }: ImportTask): Promise<FileReading> {
  if (file.size > HISTORY_FILE_BYTES) return { ok: false, reason: t`The file is larger than 64 MB.` }
  const text = await file.text()
  const { readJson } = await loadCode(() => import('../../folding/unit/unit-file.ts'))
  return /^\s*[{[]/.test(text)
    ? readJson(text)
    : (await loadCode(() => import('../../folding/unit/unit-csv.ts'))).readCsv(text)
}
