export default function Page() {
  return <p>Later.</p>;
}
