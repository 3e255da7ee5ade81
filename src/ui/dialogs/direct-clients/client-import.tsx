import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useDeferredValue, useMemo, useState } from 'react'
import { Label, TextField as AriaTextField } from 'react-aria-components/TextField'
import { TextArea } from 'react-aria-components/TextArea'
import {
  LONGEST_LIST,
  MOST_LINES,
  readClientList,
  type ListLine,
  type ListReading,
} from '../../../folding/client/client-list.ts'
import { MAX_DIRECT_CLIENTS } from '../../../folding/client/direct-clients.ts'
import { formatList, formatNumber } from '../../../folding/text/format.ts'
import { selectDirectClients } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { FileButton } from '../../parts/actions/file-button.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import type { Tone } from '../../parts/display/tone.ts'
import type { IconName } from '../../parts/icons/icon.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { classNames } from '../../parts/class-names.ts'
import lists from '../dialog-list.module.css'
import styles from './direct-clients.module.css'

type Shown = { readonly icon: IconName; readonly tone: Tone; readonly text: string }

function shownOf(line: ListLine): Shown {
  switch (line.status) {
    case 'new':
      return { icon: 'plus', tone: 'running', text: t`New` }
    case 'renamed':
      return { icon: 'edit', tone: 'running', text: t`In the list; gets this name` }
    case 'known':
      return { icon: 'done', tone: 'done', text: t`In the list already` }
    case 'repeated':
      return { icon: 'warning', tone: 'warning', text: t`The same address as line ${line.first}` }
    case 'notAnAddress':
      return { icon: 'fail', tone: 'failed', text: t`Not a host name or IP address with an optional port` }
    case 'tooMany':
      return {
        icon: 'fail',
        tone: 'failed',
        text: t`The list is full: at most ${plural(MAX_DIRECT_CLIENTS, { other: '# clients' })}`,
      }
  }
}

function problemText(problem: ListReading['problem']): string | undefined {
  if (problem === 'brokenJson') return t`This is not a JSON list of addresses.`
  return problem === 'tooLong'
    ? t`The text is too long: only the first ${formatNumber(MOST_LINES)} lines are read.`
    : undefined
}

function Preview({ reading: { lines, problem } }: { readonly reading: ListReading }) {
  const text = problemText(problem)
  return (
    <>
      {text === undefined ? undefined : (
        <p role="alert">
          <StatusMark icon="fail" tone="failed" text={text} />
        </p>
      )}
      {lines.length === 0 ? undefined : (
        <ol className={classNames('grid line-below', styles['preview'])} aria-label={t`Preview`} tabIndex={0}>
          {lines.map(line => (
            <li key={line.line} className="flex wrap align-baseline gap-1-3 pad-block-1 line-above">
              <span className="tabular quiet type-2">{t`Line ${line.line}`}</span>
              <span className={styles['address']}>{'client' in line ? line.client.address : line.text}</span>
              {'client' in line && line.client.name !== undefined ? <span>{line.client.name}</span> : undefined}
              <StatusMark {...shownOf(line)} />
              {line.leftOut === undefined ? undefined : (
                <span className={lists['quiet']}>{t`Left out: ${formatList(line.leftOut)}`}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** A list that is pasted or read from a file, what is in it, and what is wrong. It is kept here only: no recording has it. */
export function ClientImport() {
  const { fleet, directClients } = useSystem()
  const clients = useSelector(fleet, selectDirectClients)
  const [text, setText] = useState('')
  const [fileFault, setFileFault] = useState<string>()
  const deferred = useDeferredValue(text)
  const reading = useMemo(() => readClientList(deferred, clients), [deferred, clients])
  const back = (): void => directClients.send({ type: 'directClients.showList' })
  const take = async (file: File): Promise<void> => {
    try {
      // One character more than is read, so that a longer file is noticed.
      setText(await file.slice(0, LONGEST_LIST + 1).text())
      setFileFault(undefined)
    } catch {
      setFileFault(t`The file could not be read.`)
    }
  }
  const add = (): void => {
    fleet.send({ type: 'fleet.addClients', clients: reading.clients })
    back()
  }
  const { length } = reading.clients
  return (
    <Dialog
      title={t`Import direct clients`}
      onLeave={back}
      isForm
      footer={
        <>
          <Button onPress={back}>{t`Back`}</Button>
          <FileButton icon="upload" accept={['.csv', '.txt', '.json', '.hfmx']} onChoose={file => void take(file)}>
            {t`Open a file`}
          </FileButton>
          <Button
            kind="primary"
            onPress={add}
            blockedBecause={length === 0 ? t`There is nothing to add or rename.` : undefined}
          >
            {length === 0 ? t`Import` : t`Import ${plural(length, { one: '# client', other: '# clients' })}`}
          </Button>
        </>
      }
    >
      <AriaTextField value={text} onChange={setText} autoFocus className="grid gap-1" spellCheck="false">
        <Label>{t`List`}</Label>
        <TextArea rows={6} className={styles['text'] ?? ''} placeholder={t`192.168.0.7:7396 Attic\nnas.lan`} />
      </AriaTextField>
      <p className={lists['quiet']}>
        {t`One address per line with an optional name after it, CSV, JSON, or the settings of HFM.NET (.hfmx). Nothing is connected before you import it.`}
      </p>
      {fileFault === undefined ? undefined : (
        <p role="alert">
          <StatusMark icon="fail" tone="failed" text={fileFault} />
        </p>
      )}
      <Preview reading={reading} />
    </Dialog>
  )
}
