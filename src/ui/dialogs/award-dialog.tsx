import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { AwardDialog as Award } from '../../machines/shared/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './award-dialog.module.css'

export function AwardDialog({ dialog: { id, title, address } }: { readonly dialog: Award }) {
  const { dialogs } = useSystem()
  const [state, setState] = useState<'loading' | 'shown' | 'missing'>('loading')
  const close = (): void => dialogs.send({ type: 'dialogs.answer', id, button: 'close' })
  return (
    <Dialog
      title={title}
      onLeave={close}
      footer={
        <Button kind="primary" autoFocus onPress={close}>
          {t`Close`}
        </Button>
      }
    >
      {state === 'loading' ? <p role="status">{t`Loading...`}</p> : undefined}
      {state === 'missing' ? (
        <p>{t`This award does not exist yet, or its image cannot be loaded.`}</p>
      ) : (
        <img
          src={address}
          alt={title}
          referrerPolicy="no-referrer"
          className={styles['award']}
          onLoad={() => setState('shown')}
          onError={() => setState('missing')}
        />
      )}
    </Dialog>
  )
}
