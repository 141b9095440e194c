#!/usr/bin/env bash
# A Docker engine of Debian's packages in a folder, for machines where none is installed. It needs
# root, debootstrap, overlayfs, cgroups and iptables; it sees its folder and the checkout, nothing
# else of the machine's files, and shares the machine's network.
#   engine.sh start FOLDER CHECKOUT MIRROR    prints the process whose namespace clients enter
#   engine.sh stop FOLDER                     leaves mounts and network as they were found
set -euo pipefail
act=$1 folder=$2 root=$2/engine state=$2/state
tables=(raw mangle nat filter)

make_root() {
  [[ -x $root/usr/sbin/dockerd ]] && return
  # An older debootstrap does not know the name of a newer suite; their scripts are one since buster.
  debootstrap --variant=minbase --include=ca-certificates,iptables,iproute2,procps,docker.io,docker-cli,docker-compose,docker-buildx,tini \
    "${ENGINE_SUITE:-forky}" "$root" "$1" sid > "$folder/engine.log" 2>&1
  # How newer engines keep images by themselves.
  mkdir -p "$root/etc/docker"
  echo '{"features": {"containerd-snapshotter": true}}' > "$root/etc/docker/daemon.json"
}

keep_network() {
  mkdir -p "$state"
  iptables-save > "$state/iptables"
  ip6tables-save > "$state/ip6tables"
  cat /proc/sys/net/ipv4/ip_forward > "$state/ip_forward"
  ls /sys/class/net > "$state/links"
}

give_network_back() {
  local tool table link
  for link in $(comm -13 <(sort "$state/links") <(ls /sys/class/net | sort)); do
    case $link in docker0 | br-* | veth*) ip link delete "$link" 2>/dev/null || true ;; esac
  done
  for tool in iptables ip6tables; do
    for table in "${tables[@]}"; do
      if grep -qx "\*$table" "$state/$tool"; then
        sed -n "/^\*$table\$/,/^COMMIT\$/p" "$state/$tool"
      elif "$tool-save" --table "$table" 2>/dev/null | grep -q COMMIT; then
        # Nobody had a rule in it. Chains of the kernel's own go back to letting pass.
        "$tool-save" --table "$table" | sed -nE 's/^:([A-Z]+) (ACCEPT|DROP).*/:\1 ACCEPT [0:0]/p' |
          { echo "*$table"; cat; echo COMMIT; }
      fi | "$tool-restore"
    done
  done
  cat "$state/ip_forward" > /proc/sys/net/ipv4/ip_forward
}

# In a mount namespace of its own: the folder becomes the root, the checkout keeps its path.
inside() {
  local checkout=$3
  mount --bind "$root" "$root"
  cd "$root"
  mkdir -p old ".$checkout" ".$folder/share" "$folder/share"
  mount -t proc proc proc
  mount --rbind /sys sys
  mount --rbind /dev dev
  mount -t tmpfs tmpfs run
  mount --bind "$checkout" ".$checkout"
  mount --bind "$folder/share" ".$folder/share"
  cp /etc/resolv.conf /etc/hosts etc/
  cp /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/
  pivot_root . old
  umount --lazy /old
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
  exec dockerd --exec-opt native.cgroupdriver=cgroupfs
}

case $act in
  start)
    mkdir -p "$folder"
    make_root "$4"
    keep_network
    nohup setsid unshare --mount --propagation private "$0" inside "$folder" "$3" \
      > "$folder/dockerd.log" 2>&1 < /dev/null &
    echo $! > "$state/pid"
    for _ in $(seq 120); do
      if nsenter --target "$!" --mount docker info > /dev/null 2>&1; then
        echo "$!"
        exit
      fi
      kill -0 "$!" 2>/dev/null || break
      sleep 0.5
    done
    tail -n 20 "$folder/dockerd.log" >&2
    "$0" stop "$folder"
    exit 1
    ;;
  inside) inside "$@" ;;
  stop)
    process=$(cat "$state/pid")
    kill "$process" 2>/dev/null || true
    for _ in $(seq 120); do
      kill -0 "$process" 2>/dev/null || break
      sleep 0.5
    done
    give_network_back
    # Groups of containers that have ended are empty folders.
    find /sys/fs/cgroup -depth -type d -path '*/docker*' -exec rmdir {} + 2>/dev/null || true
    ;;
esac
