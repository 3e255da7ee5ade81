import { t } from '@lingui/core/macro'
import { createLimiter } from '../../host/limiter.ts'
import { StartError } from '../../host/start-error.ts'
import type { Access } from '../access/access.ts'
import { callerOf } from '../access/caller.ts'
import type { enrollRoutes } from './enroll-routes.ts'
import { enrollPage, FORM_HEADERS, inReadersLanguage, tooManyAttempts } from './form-pages.ts'
import type { ApiContext, Enrolling, Handlers } from './handler.ts'

export type EnrollServices = {
  readonly access: Pick<Access, 'isConfidential'>
  readonly enrolling: Enrolling
}

const MOST_ATTEMPTS = 5
const MINUTE_MS = 60_000

function notConfidential(): string {
  return t`A passphrase may only be sent over TLS, or from the computer of the server itself. Open this page by https, or enroll in a terminal.`
}

export function enrollHandlers({ access, enrolling }: EnrollServices): Pick<Handlers, keyof typeof enrollRoutes> {
  const attempts = createLimiter({ most: MOST_ATTEMPTS, withinMs: MINUTE_MS, now: () => performance.now() })
  const answer = async (
    context: ApiContext,
    page: { readonly fault?: () => string; readonly machines?: number },
    isConfidential: boolean,
    status: number,
  ): Promise<Response> => {
    const text = await inReadersLanguage(context, () =>
      enrollPage({
        machines: page.machines,
        fault: page.fault?.(),
        isEnrolled: enrolling.isEnrolled(),
        blocked: enrolling.blocked ?? (isConfidential ? undefined : notConfidential()),
      }),
    )
    return new Response(text, { status, headers: { ...FORM_HEADERS, 'Content-Type': 'text/html; charset=utf-8' } })
  }
  return {
    enrollPage: (_, context) => answer(context, {}, access.isConfidential(callerOf(context.env.incoming)), 200),
    enroll: async ({ identity, body: { email, passphrase } }, context) => {
      const isConfidential = access.isConfidential(callerOf(context.env.incoming))
      if (!isConfidential || enrolling.blocked !== undefined) return answer(context, {}, isConfidential, 409)
      if (attempts.secondsToWait('') !== undefined) return answer(context, { fault: tooManyAttempts }, true, 429)
      attempts.count('')
      try {
        return await answer(context, { machines: await enrolling.enroll(email, passphrase, identity) }, true, 200)
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        return await answer(context, { fault: () => error.message }, true, 422)
      }
    },
  }
}
