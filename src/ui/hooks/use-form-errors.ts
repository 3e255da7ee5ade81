import { useEffect, useRef, useState, type RefObject } from 'react'
import { isClean, type Complaints } from '../../folding/account/registration.ts'

type FormErrors<Field extends string> = {
  /** Of the form element. */
  readonly form: RefObject<HTMLFormElement | null>
  readonly errors: Complaints<Field>
  /** A field was edited: what the last submit said of it may not be true any more. */
  readonly noteEdit: (field: Field) => void
}

/** What is wrong with a form that was submitted. The first wrong field gets the focus, so that its error is read out. */
export const useFormErrors = <Field extends string>(submitted: Complaints<Field>): FormErrors<Field> => {
  const form = useRef<HTMLFormElement>(null)
  const [edited, setEdited] = useState<{ readonly since: Complaints<Field>; readonly fields: readonly Field[] }>({
    since: submitted,
    fields: [],
  })
  const fields = edited.since === submitted ? edited.fields : []
  useEffect(() => {
    if (!isClean(submitted)) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitted])
  const errors: { [F in Field]?: string } = {}
  for (const field in submitted) {
    const error = submitted[field]
    if (error !== undefined && !fields.includes(field)) errors[field] = error
  }
  const noteEdit = (field: Field): void => {
    if (submitted[field] !== undefined) setEdited({ since: submitted, fields: [...fields, field] })
  }
  return { form, errors, noteEdit }
}
