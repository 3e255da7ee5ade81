import { t } from '@lingui/core/macro'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { shortcuts } from '../shell/shortcuts.ts'

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
        <section key={scope} className="grid gap-2">
          <h3 className="quiet type-2 medium">{scope}</h3>
          <dl className="grid">
            {list.map(({ keys, action }) => (
              <div key={action} className="line between gap-3 pad-block-2 soft-line-above">
                <dt>{action}</dt>
                <dd className="flex gap-1">
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
