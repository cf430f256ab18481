# Runs a program in an image's root file system as an engine does: read-only, its own processes, no privileges.
#   unshare --mount --pid --ipc --uts --fork sh enter.sh ROOT USER FOLDER MOUNT… -- COMMAND…
# MOUNT is tmpfs:PATH or SOURCE:PATH:ro|rw.
set -e
root=$1
user=$2
folder=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
while [ "$1" != -- ]; do
  case $1 in
    tmpfs:*) mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root${1#tmpfs:}" ;;
    *)
      target=${1#*:}
      mode=${target##*:}
      target=$root${target%:*}
      mount --bind "${1%%:*}" "$target"
      mount -o "remount,bind,$mode" "$target"
      ;;
  esac
  shift
done
shift
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd="$folder" setpriv --reuid="$user" --regid="$user" --clear-groups \
  --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
