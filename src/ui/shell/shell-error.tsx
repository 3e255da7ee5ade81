import { t } from '@lingui/core/macro'
import { Button } from '../parts/actions/button.tsx'
import { ButtonLink } from '../parts/actions/button-link.tsx'
import { EmptyState } from '../parts/display/empty-state.tsx'

/** Shown when the shell itself throws. */
export function ShellError({ error }: { readonly error: unknown }) {
  return (
    <main>
      <EmptyState
        icon="fail"
        title={t`This page cannot be shown`}
        actions={
          <>
            <Button kind="primary" onPress={() => window.location.reload()}>
              {t`Reload the page`}
            </Button>
            <ButtonLink to="/machines">{t`Show the machines`}</ButtonLink>
          </>
        }
      >
        <p>{t`This is an error in Foldboard; your machines keep folding. Reload the page to try again.`}</p>
        <p>
          <code>{String(error)}</code>
        </p>
      </EmptyState>
    </main>
  )
}
