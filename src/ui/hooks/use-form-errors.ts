import { useEffect, useRef, useState, type RefObject } from 'react'
import { hasNoErrors, type ValidationErrors } from '../../folding/account/registration.ts'

type FormErrors<Field extends string> = {
  readonly form: RefObject<HTMLFormElement | null>
  readonly errors: ValidationErrors<Field>
  /** Hides the error of a field that was edited since the last submit. */
  readonly clearError: (field: Field) => void
}

/** Errors of a submitted form. Focuses the first invalid field, so that screen readers announce its error. */
export function useFormErrors<Field extends string>(submitted: ValidationErrors<Field>): FormErrors<Field> {
  const form = useRef<HTMLFormElement>(null)
  const [edited, setEdited] = useState<{ readonly since: ValidationErrors<Field>; readonly fields: readonly Field[] }>({
    since: submitted,
    fields: [],
  })
  const fields = edited.since === submitted ? edited.fields : []
  useEffect(() => {
    if (!hasNoErrors(submitted)) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitted])
  const errors: { [F in Field]?: string } = {}
  for (const field in submitted) {
    const error = submitted[field]
    if (error !== undefined && !fields.includes(field)) errors[field] = error
  }
  const clearError = (field: Field): void => {
    if (submitted[field] !== undefined) setEdited({ since: submitted, fields: [...fields, field] })
  }
  return { form, errors, clearError }
}
