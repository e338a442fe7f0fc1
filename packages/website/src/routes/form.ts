/**
 * A request with the fields of a form, as `<omi-confirmation>` sends them: files are left out, so that the message is the same at both
 * times.
 */
export const requestOf = (form: FormData): Request =>
  new Request('https://form.invalid', {
    method: 'POST',
    body: new URLSearchParams(
      [...form].filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
  });
