/** The anchor of a heading, as GitHub makes it, so that links between pages work there and in the guide alike. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
