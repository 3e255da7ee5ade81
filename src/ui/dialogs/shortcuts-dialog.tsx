import { t } from '@lingui/core/macro'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { shortcuts } from '../shell/shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

export function ShortcutsDialog({ onLeave }: { onLeave: () => void }) {
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      onLeave={onLeave}
      footer={
        <Button kind="primary" autoFocus onPress={onLeave}>
          {t`Close`}
        </Button>
      }
    >
      {shortcuts.map(({ scope, list }) => (
        <section key={scope} className={styles['section']}>
          <h3 className={styles['where']}>{scope}</h3>
          <dl className={styles['list']}>
            {list.map(({ keys, action }) => (
              <div key={action} className={styles['shortcut']}>
                <dt>{action}</dt>
                <dd className={styles['keys']}>
                  {keys.map(key => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
