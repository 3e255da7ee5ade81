import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { readOldConfig, type OldLine } from '../../../../folding/client/old-config.ts'
import lists from '../../../dialogs/dialog-list.module.css'
import { FileButton } from '../../../parts/actions/file-button.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { useDraft } from './settings-context.ts'

/** Longer ones are none. */
const LONGEST = 200_000

function shownOf({ place }: OldLine) {
  switch (place) {
    case 'user':
    case 'team':
    case 'passkey':
      return { icon: 'done', tone: 'done', text: t`Filled in above` } as const
    case 'cpuGroup':
      return { icon: 'info', tone: 'paused', text: t`A resource group with these CPUs` } as const
    case 'gpuGroup':
      return { icon: 'info', tone: 'paused', text: t`A resource group with this GPU` } as const
    case undefined:
      return { icon: 'fail', tone: 'failed', text: t`Not imported` } as const
  }
}

/** Fills in whom an older client folded for, and says what has become of its other options. */
export function OldConfigFile() {
  const draft = useDraft()
  const [lines, setLines] = useState<readonly OldLine[]>()
  const take = async (file: File): Promise<void> => {
    const config = readOldConfig(
      await file
        .slice(0, LONGEST)
        .text()
        .catch(() => ''),
    )
    setLines(config?.lines ?? [])
    if (config !== undefined) draft.send({ type: 'draft.edit', change: { donor: config.donor } })
  }
  return (
    <div className="grid justify-start gap-2">
      <FileButton isSmall icon="upload" accept={['.xml']} onChoose={file => void take(file)}>
        {t`Open the config.xml of an older client`}
      </FileButton>
      <div role="status">
        {lines === undefined ? undefined : lines.length === 0 ? (
          <StatusMark icon="fail" tone="failed" text={t`This is not the configuration of a client.`} />
        ) : (
          <ol className="grid">
            {lines.map(line => (
              <li key={`${line.line} ${line.text}`} className={lists['row']}>
                <span className="anywhere">
                  {t`Line ${line.line}`} <code>{line.text}</code>
                </span>
                <StatusMark {...shownOf(line)} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </div>
  )
}
