import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { downloadFile } from '../../../loading/download-file.ts'
import { Button } from '../../parts/actions/button.tsx'
import { FileButton } from '../../parts/actions/file-button.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import lists from '../dialog-list.module.css'

type Props<Value> = {
  readonly fileName: string
  /** Characters that are read at most. */
  readonly longest: number
  /** Why there is nothing to export; undefined when there is. */
  readonly nothing: string | undefined
  /** Without it there is no import. */
  readonly mayImport: boolean
  readonly write: () => string
  readonly read: (text: string) => Value | undefined
  /** What is in a file, in one sentence. */
  readonly describe: (value: Value) => string
  readonly onTake: (value: Value, mode: 'merge' | 'replace') => void
}

type Taken<Value> = { readonly value: Value } | { readonly fault: string }

/** Exports a list as a JSON file, and imports one: it is shown what is in it, and asked whether to add it or to replace. */
export function FileTransfer<Value>(props: Props<Value>) {
  const { fileName, longest, nothing, mayImport, write, read, describe, onTake } = props
  const [reading, setReading] = useState<Taken<Value>>()
  const [done, setDone] = useState('')
  const open = async (file: File): Promise<void> => {
    setDone('')
    try {
      const value = file.size > 4 * longest ? undefined : read(await file.text())
      setReading(value === undefined ? { fault: t`This is no file that was exported here.` } : { value })
    } catch {
      setReading({ fault: t`The file could not be read.` })
    }
  }
  const take = (value: Value, mode: 'merge' | 'replace'): void => {
    onTake(value, mode)
    setReading(undefined)
    setDone(t`The file was imported.`)
  }
  return (
    <section className="stack gap-2" aria-label={mayImport ? t`Export and import` : t`Export`}>
      <div className="flex wrap gap-2">
        <Button
          icon="download"
          blockedBecause={nothing}
          onPress={() => downloadFile(new Blob([write()], { type: 'application/json' }), fileName)}
        >
          {t`Export`}
        </Button>
        {mayImport ? (
          <FileButton icon="upload" accept={['.json', 'application/json']} onChoose={file => void open(file)}>
            {t`Import`}
          </FileButton>
        ) : undefined}
      </div>
      <p role="status" className={lists['quiet']}>
        {done}
      </p>
      {reading === undefined ? undefined : 'fault' in reading ? (
        <p role="alert">
          <StatusMark icon="fail" tone="failed" text={reading.fault} />
        </p>
      ) : (
        <div role="group" aria-label={t`Import`} className="grid gap-2 pad-3 bordered round-2">
          <p>{describe(reading.value)}</p>
          <div className="flex wrap gap-2">
            <Button onPress={() => setReading(undefined)}>{t`Cancel`}</Button>
            <Button onPress={() => take(reading.value, 'replace')}>{t`Replace mine`}</Button>
            <Button kind="primary" onPress={() => take(reading.value, 'merge')}>
              {t`Add to mine`}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}
